package dev.millrace.cli.output;

import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.State;
import dev.millrace.cli.client.Step;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Steps of a run as a tree, in the order of their first events. Not thread-safe. */
public final class StepTree {
    private final Map<String, Step> steps = new LinkedHashMap<>();

    /** Adds or replaces a step; false if nothing changed. */
    public boolean put(Step step) {
        return !step.equals(steps.put(step.key(), step));
    }

    public Collection<Step> steps() {
        return steps.values();
    }

    /**
     * Draws the tree.
     *
     * @param childrenMax limit above which a node shows only children that run or failed, and counts the rest
     */
    public List<String> lines(Optional<Run> run, Paint paint, int childrenMax) {
        Node root = new Node("");
        steps.values().stream()
                .filter(step -> !step.key().isEmpty() && !isInFoldedLoop(step.key()))
                .forEach(root::insert);
        List<String> lines = new ArrayList<>();
        run.ifPresent(it -> lines.add(title(it, paint)));
        root.drawChildren("", lines, paint, childrenMax);
        return lines;
    }

    /** Steps of the first iterations may arrive before it is known how many the loop has. */
    private boolean isInFoldedLoop(String key) {
        for (int open = key.indexOf('['); open >= 0; open = key.indexOf('[', open + 1)) {
            Step loop = steps.get(key.substring(0, open));
            if (loop != null && loop.iterations().isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static String title(Run run, Paint paint) {
        return symbol(run.state(), paint) + " " + paint.bold(ControlCharacters.line(run.name())) + "  "
                + paint.state(run.state(), run.state().word())
                + (run.isPaused() ? " (paused)" : "")
                + run.duration().map(time -> " in " + Durations.text(time)).orElse("");
    }

    static String symbol(State state, Paint paint) {
        return paint.state(
                state,
                switch (state) {
                    case QUEUED -> "○";
                    case RUNNING -> "●";
                    case SUCCEEDED -> "✔";
                    case FAILED -> "✘";
                    case CANCELED -> "⊘";
                    case SKIPPED -> "–";
                    case UNKNOWN -> "?";
                });
    }

    private static final class Node {
        private final String place;
        private final Map<String, Node> children = new LinkedHashMap<>();
        private Optional<Step> step = Optional.empty();

        Node(String place) {
            this.place = place;
        }

        void insert(Step newStep) {
            Node node = this;
            for (String part : StepKey.places(newStep.key())) {
                node = node.children.computeIfAbsent(part, Node::new);
            }
            node.step = Optional.of(newStep);
        }

        void drawChildren(String indent, List<String> lines, Paint paint, int childrenMax) {
            List<Node> shown = new ArrayList<>(children.values());
            if (shown.stream().allMatch(Node::isIteration)) {
                shown.sort(Comparator.<Node>comparingInt(child -> child.place.length())
                        .thenComparing(child -> child.place));
            }
            if (shown.size() > childrenMax) {
                shown.removeIf(child -> child.state() != State.RUNNING && child.state() != State.FAILED);
                shown = shown.subList(0, Math.min(shown.size(), childrenMax));
            }
            int hidden = children.size() - shown.size();
            for (int i = 0; i < shown.size(); i++) {
                boolean isLast = i == shown.size() - 1 && hidden == 0;
                lines.add(indent
                        + paint.dim(isLast ? "└─ " : "├─ ")
                        + shown.get(i).describe(paint));
                shown.get(i).drawChildren(indent + (isLast ? "   " : paint.dim("│  ")), lines, paint, childrenMax);
            }
            if (hidden > 0) {
                lines.add(indent + paint.dim("└─ … " + hidden + " more"));
            }
        }

        private boolean isIteration() {
            return place.startsWith("[");
        }

        private String describe(Paint paint) {
            StringBuilder line =
                    new StringBuilder(symbol(state(), paint)).append(' ').append(ControlCharacters.line(place));
            if (!children.isEmpty()) {
                long done = children.values().stream()
                        .filter(child -> child.state().isFinal())
                        .count();
                long begun = children.size() - done;
                // The final number is unknown: a loop shows iterations that have begun.
                line.append(paint.dim("  " + done + " done" + (begun == 0 ? "" : ", " + begun + " in progress")));
            }
            step.flatMap(Step::iterations).ifPresent(counts -> line.append(paint.dim("  " + counts.text())));
            step.filter(it -> it.attempt() > 1).ifPresent(it -> line.append(paint.yellow("  attempt " + it.attempt())));
            step.flatMap(Step::runDuration)
                    .map(Durations::text)
                    .ifPresent(time -> line.append("  ").append(time));
            step.flatMap(Step::progress)
                    .ifPresent(told -> line.append(paint.dim("  progress " + ControlCharacters.line(told))));
            step.map(Step::childRun)
                    .filter(run -> !run.isEmpty())
                    .ifPresent(run -> line.append(paint.dim("  run " + ControlCharacters.line(run))));
            step.filter(Step::fromCache).ifPresent(_ -> line.append(paint.dim("  from the cache")));
            step.filter(Step::erased).ifPresent(_ -> line.append(paint.dim("  erased")));
            step.flatMap(Step::error)
                    .ifPresent(error -> line.append(paint.red(
                            ControlCharacters.line("  " + error.name() + ": " + firstLine(error.message())))));
            return line.toString();
        }

        /**
         * The state of the step. A part of a key that is not a step, such as an iteration, takes the state of its
         * content.
         */
        private State state() {
            return step.map(Step::state).orElseGet(() -> {
                List<State> states = children.values().stream().map(Node::state).toList();
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
}
