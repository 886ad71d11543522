package dev.millrace.scheduler.flow.core.graph;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which steps of a flow keep to one worker and share a folder there. A group is a whole run, or a container: each time the container begins it is
 * another group, with a worker and a folder of its own. Inside a group another one says nothing new. Steps that run once the flow has
 * failed are not in the group of the run: they can run when its worker is lost.
 */
public final class AffinityRules {
    /** Names the group that is the whole run. */
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

    /** Whether the flow has any. */
    public boolean any() {
        return any;
    }

    /** The group of a step: {@link #RUN}, or the key of the outermost container around it that is one; empty for none. */
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

    /** Whether the group of that name is over once a row with this key is in the history: its container ends or begins again, or one around it. */
    public static boolean isEndedBy(String group, StepKey row) {
        if (group.equals(RUN) || row.mark().isPresent()) {
            return false;
        }
        StepKey container = new StepKey(group);
        return row.equals(container) || row.contains(container);
    }

    /** A live step of the group that is a job on a worker; empty where there is none. */
    public Optional<StepKey> liveJob(String group, Set<StepKey> live) {
        return live.stream()
                .filter(key -> key.mark().isEmpty() && groupOf(key).equals(Optional.of(group)))
                .filter(key -> model.kind(key).isJob())
                .min((one, other) -> one.text().compareTo(other.text()));
    }

    /** The groups of which some steps are to be done again: their folders are gone, so that they begin from their first steps. */
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

    /** What has to be done again for a group to begin from its first steps. */
    public List<StepKey> firstKeys(String group) {
        return group.equals(RUN)
                ? model.graph().nodes().stream()
                        .map(node -> new StepKey(node.id()).with(StepKey.Mark.REDO))
                        .toList()
                : List.of(new StepKey(group).with(StepKey.Mark.REDO));
    }
}
