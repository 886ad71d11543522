package dev.millrace.scheduler.flow.core;

/**
 * Decides what follows an event of a run. A failed step lets the steps that run already finish, starts nothing new, and then fails
 * the run.
 */
public final class FlowMachine {
    private FlowMachine() {}

    /** Pure: reads the state, changes nothing. Hand the decision to {@link FlowState#apply} once it has committed. */
    public static Decision decide(FlowModel model, FlowState state, FlowEvent event) {
        if (model != state.model()) {
            throw new IllegalArgumentException("The state belongs to another flow than the model.");
        }
        if (state.phase() == FlowState.Phase.ENDED) {
            return Decision.rejected(Rejection.RUN_ENDED);
        }
        return switch (event) {
            case FlowEvent.Started started ->
                state.phase() == FlowState.Phase.NEW
                        ? new Transition(state).start()
                        : Decision.rejected(Rejection.ALREADY_STARTED);
            case FlowEvent.StepEnded ended ->
                state.live().contains(ended.key())
                        ? new Transition(state).end(ended.key(), ended.outcome())
                        : Decision.rejected(Rejection.STEP_NOT_LIVE);
            case FlowEvent.CancelRequested cancel -> new Transition(state).cancel(cancel.reason());
        };
    }
}
