package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.Graph;
import dev.millrace.scheduler.flow.core.graph.Node;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.graph.Work;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells which steps two versions of a flow have in common. A run of the one version can take over their rows from a run
 * of the other: a step is the same if both versions have a step of its kind under its key, and under each key around it.
 * What the step does may have changed.
 */
public final class SameSteps {
    private final FlowModel before;
    private final FlowModel after;
    private final Map<StepKey, Boolean> known = new HashMap<>();

    /** Compares the version of an earlier run with the version of a later one. */
    public SameSteps(FlowModel before, FlowModel after) {
        this.before = before;
        this.after = after;
    }

    /** Returns the rows of steps that both versions have. Rows of a failure's handler are left out. */
    public List<FinishedStep> keep(List<FinishedStep> rows) {
        return rows.stream().filter(row -> isSame(row.key().step())).toList();
    }

    private boolean isSame(StepKey step) {
        if (step.text().startsWith(StepKey.FAILURE.text())) {
            return false;
        }
        return isAlike(step) && step.around().stream().allMatch(this::isAlike);
    }

    private boolean isAlike(StepKey step) {
        return known.computeIfAbsent(
                step,
                key -> work(before, key)
                        .flatMap(one -> work(after, key).map(other -> isAlike(one, other)))
                        .orElse(false));
    }

    private static Optional<Work> work(FlowModel model, StepKey key) {
        try {
            return Optional.of(model.walk(key).node().work());
        } catch (IllegalArgumentException | IndexOutOfBoundsException noSuchStep) {
            return Optional.empty();
        }
    }

    /**
     * Rows name a branch of a container by its number. So containers are alike only if each branch of the one shares a
     * step with the branch of the same number of the other.
     */
    private static boolean isAlike(Work one, Work other) {
        List<Graph> ones = one.lists();
        List<Graph> others = other.lists();
        if (one.kind() != other.kind() || ones.size() != others.size()) {
            return false;
        }
        for (int list = 0; list < ones.size(); list++) {
            if (!shareAStep(ones.get(list), others.get(list))) {
                return false;
            }
        }
        return true;
    }

    private static boolean shareAStep(Graph one, Graph other) {
        return one.single() == other.single()
                && (one.nodes().isEmpty()
                        || one.single()
                        || one.nodes().stream().map(Node::id).anyMatch(other.byId()::containsKey));
    }
}
