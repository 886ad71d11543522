package dev.millrace.scheduler.flow.core.graph;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Affinity groups of a flow: which steps run on the same worker and share a folder there.
 *
 * <p>A group is either a whole run or a container. Each time a container begins, it forms a new group with its own
 * worker and folder. A group inside another group has no effect. Steps that handle the failure of the flow never belong
 * to the group of the run, so they can run after its worker is lost.
 */
public final class AffinityRules {
    /** Name of the group that consists of the whole run. */
    public static final String RUN = "";

    private final FlowModel model;
    private final boolean any;

    private AffinityRules(FlowModel model, boolean any) {
        this.model = model;
        this.any = any;
    }

    static AffinityRules of(FlowModel model) {
        boolean any = model.definition().options().sameWorker()
                || Stream.concat(Stream.of(model.graph()), model.onFailure().stream())
                        .anyMatch(steps -> steps.anyNode(node -> node.policy().sameWorker()));
        return new AffinityRules(model, any);
    }

    /** Returns whether the flow has any affinity group. */
    public boolean any() {
        return any;
    }

    /**
     * Returns the group of a step: {@link #RUN}, or the key of the outermost enclosing container that forms a group;
     * empty for none.
     */
    public Optional<String> groupOf(StepKey key) {
        if (!any) {
            return Optional.empty();
        }
        boolean handlesFailure = key.text().startsWith(StepKey.FAILURE.text());
        if (model.definition().options().sameWorker() && !handlesFailure) {
            return Optional.of(RUN);
        }
        return key.step().around().reversed().stream()
                .filter(around -> !around.isIteration() && !around.equals(StepKey.FAILURE))
                .filter(around -> model.walk(around).node().policy().sameWorker())
                .map(StepKey::text)
                .findFirst();
    }

    /**
     * Returns whether a history row with this key ends the group: whether the group's container, or one around it, ends
     * or begins again.
     */
    public static boolean isEndedBy(String group, StepKey row) {
        if (group.equals(RUN) || row.mark().isPresent()) {
            return false;
        }
        StepKey container = new StepKey(group);
        return row.equals(container) || row.contains(container);
    }

    /** Returns a live step of the group that is a job on a worker; empty if there is none. */
    public Optional<StepKey> liveJob(String group, Set<StepKey> live) {
        return live.stream()
                .filter(key -> key.mark().isEmpty() && groupOf(key).equals(Optional.of(group)))
                .filter(key -> model.kind(key).isJob())
                .min((one, other) -> one.text().compareTo(other.text()));
    }

    /**
     * Returns the groups with steps among the resets. Their folders are gone, so these groups begin again from their
     * first steps.
     */
    public Set<String> begunAgainBy(Set<StepKey> resets) {
        if (!any) {
            return Set.of();
        }
        return resets.stream().flatMap(reset -> begunAgainBy(reset).stream()).collect(Collectors.toSet());
    }

    private Optional<String> begunAgainBy(StepKey reset) {
        StepKey step = reset.step();
        Optional<String> around = groupOf(step);
        boolean isGroup = around.isEmpty()
                && !step.isIteration()
                && !step.equals(StepKey.FAILURE)
                && model.walk(step).node().policy().sameWorker();
        return isGroup ? Optional.of(step.text()) : around;
    }

    /** Returns the resets that make a group begin again from its first steps. */
    public List<StepKey> firstKeys(String group) {
        return group.equals(RUN)
                ? model.graph().nodes().stream()
                        .map(node -> new StepKey(node.id()).with(StepKey.Mark.REDO))
                        .toList()
                : List.of(new StepKey(group).with(StepKey.Mark.REDO));
    }
}
