package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.queue.core.JobError;
import java.util.List;
import java.util.Set;

/**
 * Decides the consequences of an event in a run.
 *
 * <p>A failure stays within the nearest boundary that tolerates failures. Running steps inside the boundary may finish,
 * and no step begins there. Then the machine ends what the boundary stands for: an iteration, a branch, a step or the
 * run.
 *
 * <p>Deterministic: no clock, no random numbers, no I/O. Each decision also updates the state; a fold over the rows of
 * the decision yields the same state.
 */
public final class FlowMachine {
    private FlowMachine() {}

    /** Decides the consequences of an event and updates the state. A rejected event changes nothing. */
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
     * Decides how a run continues after an operation has voided rows of its history: everything that can begin does so.
     * Pure, like {@link #decide}.
     *
     * @param state folded from the rows that still count; no step may be live
     */
    public static Decision reopen(FlowModel model, FlowState state) {
        if (model != state.model() || !state.live().isEmpty()) {
            throw new IllegalArgumentException(
                    "The state belongs to another flow than the model, or one of its steps is live.");
        }
        return new Transition(state).reopen();
    }

    /** Ends a run as failed, whatever its state. Pure, like {@link #decide}. */
    public static Decision fail(FlowModel model, FlowState state, JobError error) {
        if (model != state.model()) {
            throw new IllegalArgumentException("The state belongs to another flow than the model.");
        }
        return state.phase() == FlowState.Phase.ENDED
                ? Decision.rejected(Rejection.RUN_ENDED)
                : new Transition(state).fail(error);
    }
}
