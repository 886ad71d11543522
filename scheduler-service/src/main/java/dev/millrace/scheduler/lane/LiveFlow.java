package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.Decision;
import dev.millrace.scheduler.flow.core.FlowEvent;
import dev.millrace.scheduler.flow.core.FlowMachine;
import dev.millrace.scheduler.flow.core.FlowModel;
import dev.millrace.scheduler.flow.core.FlowState;
import dev.millrace.scheduler.flow.core.StepKey;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A flow in progress as its lane remembers it: the state after {@code version} transitions. Owned by one lane thread. After a flush
 * that failed it may be ahead of the database and must be thrown away.
 */
final class LiveFlow {
    private final QueuedJob root;
    private final FlowModel model;
    private final FlowState state;
    private final Set<StepKey> waits = new HashSet<>();
    private long version;
    private boolean held;
    private boolean leavesJobs;
    private @Nullable Map<String, WorkerGroup> groups;

    LiveFlow(QueuedJob root, FlowModel model, FlowState state, long version, boolean held) {
        this.root = root;
        this.model = model;
        this.state = state;
        this.version = version;
        this.held = held;
        state.hold(held);
    }

    /** The job that stands for the whole run. */
    QueuedJob root() {
        return root;
    }

    /** How many transitions the state includes. */
    long version() {
        return version;
    }

    /** Whether the run is paused. */
    boolean isHeld() {
        return held;
    }

    /** Makes one transition and tells what it means for the queue. */
    Decision on(FlowEvent event) {
        int before = state.live().size();
        Decision decision = FlowMachine.decide(model, state, event);
        leavesJobs = before > (endsOne(event) ? 1 : 0);
        version++;
        switch (event) {
            case FlowEvent.StepEnded ended -> waits.remove(ended.key());
            case FlowEvent.SkipRequested _ -> waits.retainAll(state.live());
            case FlowEvent.Paused _ -> held = true;
            case FlowEvent.Resumed _ -> held = false;
            case FlowEvent.Started _, FlowEvent.CancelRequested _ -> {}
        }
        if (!decision.withdrawals().isEmpty()) {
            waits.retainAll(state.live());
        }
        decision.waits().forEach(wait -> waits.add(wait.key()));
        return decision;
    }

    private static boolean endsOne(FlowEvent event) {
        return switch (event) {
            case FlowEvent.StepEnded _, FlowEvent.SkipRequested _ -> true;
            case FlowEvent.Started _, FlowEvent.CancelRequested _, FlowEvent.Paused _, FlowEvent.Resumed _ -> false;
        };
    }

    /** Notes a change of the run that is none of its state: whoever relies on the version is to look again. */
    void touch() {
        version++;
    }

    /** A live step is a wait. */
    void knowWait(StepKey key) {
        waits.add(key);
    }

    /** The steps that have begun and not ended, and the waits before steps. */
    Set<StepKey> live() {
        return state.live();
    }

    /** Whether it is remembered which of its steps keep to which worker. */
    boolean knowsGroups() {
        return groups != null;
    }

    /** Remembers which of its steps keep to which worker. */
    void knowGroups(List<WorkerGroup> known) {
        groups = new LinkedHashMap<>();
        known.forEach(group -> groups.put(group.key(), group));
    }

    /** The groups of steps that keep to one worker, by the keys of their containers. */
    Map<String, WorkerGroup> groups() {
        return Objects.requireNonNull(groups);
    }

    /** Whether the step has begun and not ended. */
    boolean isLive(StepKey key) {
        return state.live().contains(key);
    }

    /** The key under which the step is live: its own, or that of the wait before it. */
    Optional<StepKey> liveKey(StepKey step) {
        return state.liveKey(step);
    }

    /** Whether nothing happens before a wait ends, so that the flow need not be remembered. */
    boolean isDormant() {
        return !waits.isEmpty() && waits.containsAll(state.live());
    }

    /** Begins whatever can begin, after rows of the history were voided. */
    Decision reopen() {
        Decision decision = FlowMachine.reopen(model, state);
        decision.waits().forEach(wait -> waits.add(wait.key()));
        version++;
        return decision;
    }

    /** Ends the run now, as failed. */
    Decision fail(JobError error) {
        Decision decision = FlowMachine.fail(model, state, error);
        leavesJobs = !state.live().isEmpty();
        version++;
        return decision;
    }

    /** Whether jobs were live that the end of the run, if the last transition was that, has not ended. */
    boolean leavesJobs() {
        return leavesJobs;
    }

    FlowModel model() {
        return model;
    }

    /** The input of the run. */
    Json input() {
        return state.input();
    }

    /** Rough bytes of memory. */
    long weight() {
        return state.weight();
    }
}
