package dev.millrace.cli.output;

import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.State;
import dev.millrace.cli.client.Step;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Steps of a run as a tree, in the order of their first events. Not thread-safe. */
public final class StepTree {
    private final Map<String, Step> steps = new LinkedHashMap<>();
    private final Map<String, Integer> totals = new LinkedHashMap<>();
    private Supplier<BranchKeys> branches = () -> BranchKeys.NONE;
    private @Nullable BranchKeys known;

    /** Adds or replaces a step; false if nothing changed. */
    public boolean put(Step step) {
        return !step.equals(steps.put(step.key(), step));
    }

    public Collection<Step> steps() {
        return steps.values();
    }

    /** Tells how many iterations a loop has, so that those that have not begun can be counted. */
    public void putTotal(String loop, int total) {
        totals.put(loop, total);
    }

    /** Tells where the names of parallel branches are found; they are asked for once, and only if a step may have some. */
    public void nameBranches(Supplier<BranchKeys> names) {
        branches = names;
    }

    /** The key of a step with the names of branches. */
    String shown(String key) {
        return BranchKeys.mayShow(key) ? known().shown(key) : key;
    }

    private boolean hasBranches() {
        return steps.values().stream().anyMatch(step -> step.kind().equals("parallel"));
    }

    private BranchKeys known() {
        BranchKeys found = known;
        if (found == null) {
            found = branches.get();
            known = found;
        }
        return found;
    }

    /**
     * Draws the tree.
     *
     * @param childrenMax limit above which a node shows only children that run or failed, and counts the rest
     */
    public List<String> lines(Optional<Run> run, Paint paint, int childrenMax) {
        return draw(root(), run, paint, new StepFilter(childrenMax, false));
    }

    /** Draws the tree in at most so many lines: at first without steps that neither run nor failed, then without some of those. */
    public List<String> lines(Optional<Run> run, Paint paint, int childrenMax, int linesMax) {
        StepNode root = root();
        List<String> lines = draw(root, run, paint, new StepFilter(childrenMax, false));
        for (int shown = childrenMax; lines.size() > linesMax && shown > 0; shown /= 2) {
            lines = draw(root, run, paint, new StepFilter(shown, true));
        }
        return lines.size() <= linesMax ? lines : lines.subList(0, linesMax);
    }

    private StepNode root() {
        StepNode root = new StepNode("");
        steps.values().stream()
                .filter(step -> !step.key().isEmpty() && !isInFoldedLoop(step.key()))
                .forEach(root::insert);
        totals.forEach(root::insertTotal);
        if (hasBranches()) {
            root.nameBranches(known().names());
        }
        return root;
    }

    private List<String> draw(StepNode root, Optional<Run> run, Paint paint, StepFilter filter) {
        List<String> lines = new ArrayList<>();
        run.ifPresent(it -> lines.add(title(it, paint)));
        root.drawChildren("", lines, new StepPen(run, paint, filter, hasBranches() ? known() : BranchKeys.NONE));
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
                + Optional.of(RunTime.text(run))
                        .filter(time -> !time.isEmpty())
                        .map(time -> " in " + time)
                        .orElse("");
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
}
