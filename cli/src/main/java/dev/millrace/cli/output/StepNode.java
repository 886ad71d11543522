package dev.millrace.cli.output;

import dev.millrace.cli.client.State;
import dev.millrace.cli.client.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Part of a step's key with the steps below it. Not thread-safe. */
final class StepNode {
    private final String place;
    private final Map<String, StepNode> children = new LinkedHashMap<>();
    private Optional<Step> step = Optional.empty();
    /** Name of a parallel branch; empty for everything else, and if it has none. */
    private String name = "";
    /** Number of iterations of a loop; 0 if it is not known. */
    private int total;

    StepNode(String place) {
        this.place = place;
    }

    void insert(Step newStep) {
        at(newStep.key()).step = Optional.of(newStep);
    }

    void insertTotal(String key, int count) {
        at(key).total = count;
    }

    /** @param branches names of branches by the id of their step */
    void nameBranches(Map<String, List<String>> branches) {
        List<String> names = step.filter(it -> it.kind().equals("parallel"))
                .map(_ -> branches.getOrDefault(place, List.of()))
                .orElse(List.of());
        for (int i = 0; i < names.size(); i++) {
            StepNode branch = children.get("[" + i + "]");
            if (branch != null) {
                branch.name = names.get(i);
            }
        }
        children.values().forEach(child -> child.nameBranches(branches));
    }

    private StepNode at(String key) {
        StepNode node = this;
        for (String part : StepKey.places(key)) {
            node = node.children.computeIfAbsent(part, StepNode::new);
        }
        return node;
    }

    void drawChildren(String indent, List<String> lines, StepPen pen) {
        List<StepNode> shown = pen.filter().shown(ordered());
        int hidden = children.size() - shown.size();
        for (int i = 0; i < shown.size(); i++) {
            boolean isLast = i == shown.size() - 1 && hidden == 0;
            lines.add(indent
                    + pen.paint().dim(isLast ? "└─ " : "├─ ")
                    + shown.get(i).describe(pen));
            shown.get(i).drawChildren(indent + (isLast ? "   " : pen.paint().dim("│  ")), lines, pen);
        }
        if (hidden > 0) {
            lines.add(indent + pen.paint().dim("└─ … " + hidden + " more"));
        }
    }

    private List<StepNode> ordered() {
        List<StepNode> all = new ArrayList<>(children.values());
        if (all.stream().allMatch(StepNode::isIteration)) {
            all.sort(Comparator.<StepNode>comparingInt(child -> child.place.length())
                    .thenComparing(child -> child.place));
        }
        return all;
    }

    private boolean isIteration() {
        return place.startsWith("[");
    }

    private String describe(StepPen pen) {
        Paint paint = pen.paint();
        StringBuilder line =
                new StringBuilder(StepTree.symbol(state(), paint)).append(' ').append(ControlCharacters.line(place));
        if (!name.isEmpty()) {
            line.append(' ').append(ControlCharacters.line(name));
        }
        if (!children.isEmpty()) {
            line.append(paint.dim("  " + counts()));
        }
        step.flatMap(Step::iterations).ifPresent(counts -> line.append(paint.dim("  " + counts.text())));
        step.filter(it -> it.attempt() > 1).ifPresent(it -> line.append(paint.yellow("  attempt " + it.attempt())));
        step.flatMap(pen::time).ifPresent(time -> line.append("  ").append(time));
        step.flatMap(Step::progress)
                .ifPresent(told -> line.append(paint.dim("  progress " + ControlCharacters.line(told))));
        step.map(Step::childRun)
                .filter(run -> !run.isEmpty())
                .ifPresent(run -> line.append(paint.dim("  run " + ControlCharacters.line(run))));
        step.filter(Step::fromCache).ifPresent(_ -> line.append(paint.dim("  from the cache")));
        step.filter(Step::erased).ifPresent(_ -> line.append(paint.dim("  erased")));
        step.flatMap(Step::error)
                .ifPresent(error -> line.append(paint.red(ControlCharacters.line(
                        "  " + error.name() + ": " + firstLine(pen.branches().shownIn(error.message()))))));
        return line.toString();
    }

    /** For example {@code 1 done, 1 failed, 1 not begun}. A loop in progress shows only iterations that have begun. */
    private String counts() {
        List<String> counts = new ArrayList<>();
        add(counts, count(State.SUCCEEDED) + count(State.SKIPPED) + count(State.UNKNOWN), "done");
        add(counts, count(State.FAILED), "failed");
        add(counts, count(State.CANCELED), "canceled");
        add(counts, count(State.RUNNING) + count(State.QUEUED), "in progress");
        add(counts, Math.max(0, total - children.size()), "not begun");
        return String.join(", ", counts);
    }

    private static void add(List<String> counts, int count, String word) {
        if (count > 0) {
            counts.add(count + " " + word);
        }
    }

    private int count(State state) {
        return (int) children.values().stream()
                .filter(child -> child.state() == state)
                .count();
    }

    /**
     * The state of the step. A part of a key that is not a step, such as an iteration, takes the state of its content.
     */
    State state() {
        return step.map(Step::state).orElseGet(() -> {
            List<State> states = children.values().stream().map(StepNode::state).toList();
            for (State state : List.of(State.FAILED, State.RUNNING, State.CANCELED, State.QUEUED)) {
                if (states.contains(state)) {
                    return state;
                }
            }
            return State.SUCCEEDED;
        });
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
