package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.expression.JsonValue;
import org.jspecify.annotations.Nullable;

/** Where a step that has begun is on its way. */
public sealed interface StepState {
    /** Something of it is in the queue. */
    enum Live implements StepState {
        /** Its job, or the wait that it is. */
        LIVE,
        /** The wait before it. */
        DELAYED
    }

    /**
     * It has ended.
     *
     * @param result null once nothing can read it any more, and where it failed
     */
    record Ended(@Nullable JsonValue result) implements StepState {}

    /** A container in progress. */
    sealed interface Container extends StepState permits LoopState, BranchState {
        /** Rough bytes of it and all inside. */
        long weight();

        /** Of these: what would stay in the history if the state were folded anew. */
        long storableWeight();
    }
}
