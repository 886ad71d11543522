package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.expression.JsonValue;
import org.jspecify.annotations.Nullable;

/** The progress of a step that has begun. */
public sealed interface StepState {
    /** The step has an entry in the queue. */
    enum Live implements StepState {
        /** The entry is the job of the step, or the wait that the step consists of. */
        LIVE,
        /** The entry is the wait before the step. */
        DELAYED
    }

    /**
     * The step has ended.
     *
     * @param result null if the step failed or nothing can read the result anymore
     */
    record Ended(@Nullable JsonValue result) implements StepState {}

    /** The step is a container in progress. */
    sealed interface Container extends StepState permits LoopState, BranchState {
        /** Estimates the memory that the container and everything inside occupy, in bytes. */
        long weight();

        /** Estimates the part of the weight that a fresh fold would leave in the history, in bytes. */
        long storableWeight();
    }
}
