package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.Decision;
import dev.millrace.scheduler.flow.core.FlowEvent;
import dev.millrace.scheduler.flow.core.FlowMachine;
import dev.millrace.scheduler.flow.core.FlowModel;
import dev.millrace.scheduler.flow.core.FlowState;
import dev.millrace.scheduler.queue.core.QueuedJob;

/**
 * A flow in progress as its lane remembers it: the state after {@code version} transitions. Owned by one lane thread. After a flush
 * that failed it may be ahead of the database and must be thrown away.
 */
final class LiveFlow {
    private final QueuedJob root;
    private final FlowModel model;
    private final FlowState state;
    private long version;
    private boolean held;

    LiveFlow(QueuedJob root, FlowModel model, FlowState state, long version, boolean held) {
        this.root = root;
        this.model = model;
        this.state = state;
        this.version = version;
        this.held = held;
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

    /** Pauses the run, or lets it go on. A transition of its own, so that no other scheduler goes on as before. */
    void hold(boolean value) {
        held = value;
        version++;
    }

    /** Makes one transition and tells what it means for the queue. */
    Decision on(FlowEvent event) {
        Decision decision = FlowMachine.decide(model, state, event);
        state.apply(event, decision);
        version++;
        return decision;
    }

    /** Rough bytes of memory. */
    long weight() {
        return state.weight();
    }
}
