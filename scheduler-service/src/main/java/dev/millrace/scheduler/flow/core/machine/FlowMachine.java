package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.queue.core.JobError;
import java.util.List;
import java.util.Set;

/**
 * Decides what follows an event of a run. A failed step lets what runs inside the nearest boundary that tolerates failures finish,
 * starts nothing new in there, and then ends what the boundary stands for: an iteration, a branch, a step or the run.
 *
 * <p>Deterministic: no clock, no random numbers, no I/O. The state moves along with the decision; a fold over the rows that the
 * decision leaves gives the same state.
 */
public final class FlowMachine {
    private FlowMachine() {}

    /** Decides, and moves the state. An event that is rejected changes nothing. */
    public static Decision decide(FlowModel model, FlowState state, FlowEvent event) {
        if (model != state.model()) {
            throw new IllegalArgumentException("The state belongs to another flow than the model.");
        }
        if (state.phase() == FlowState.Phase.ENDED) {
            return Decision.rejected(Rejection.RUN_ENDED);
        }
        Set<StepKey> live = state.live();
        return switch (event) {
            case FlowEvent.Started started ->
                state.phase() == FlowState.Phase.NEW
                        ? new Transition(state).start()
                        : Decision.rejected(Rejection.ALREADY_STARTED);
            case FlowEvent.StepEnded ended ->
                live.contains(ended.key())
                        ? new Transition(state).end(ended.key(), ended.outcome())
                        : Decision.rejected(Rejection.STEP_NOT_LIVE);
            case FlowEvent.SkipRequested skip ->
                FlowState.liveKey(live, skip.key())
                        .map(key -> new Transition(state).skip(key, skip.result()))
                        .orElseGet(() -> Decision.rejected(Rejection.STEP_NOT_LIVE));
            case FlowEvent.Paused _ -> {
                state.pause(true);
                yield Decision.goesOn(List.of(), List.of(), List.of(), List.of(), List.of());
            }
            case FlowEvent.Resumed _ -> new Transition(state).resume();
            case FlowEvent.CancelRequested cancel -> new Transition(state).cancel(cancel.reason());
        };
    }

    /**
     * Decides how a run goes on after rows of its history were voided: whatever can begin now begins. The state is one folded from the
     * rows that are left; no step is live. Pure, as {@link #decide}.
     */
    public static Decision reopen(FlowModel model, FlowState state) {
        if (model != state.model() || !state.live().isEmpty()) {
            throw new IllegalArgumentException("The state belongs to another flow than the model, or is in progress.");
        }
        return new Transition(state).reopen();
    }

    /** Decides that a run ends now as failed, whatever it is doing. Pure, as {@link #decide}. */
    public static Decision fail(FlowModel model, FlowState state, JobError error) {
        if (model != state.model()) {
            throw new IllegalArgumentException("The state belongs to another flow than the model.");
        }
        return state.phase() == FlowState.Phase.ENDED
                ? Decision.rejected(Rejection.RUN_ENDED)
                : new Transition(state).fail(error);
    }
}
