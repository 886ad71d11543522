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
     * @param succeeded whether the step ran and succeeded: false also if it was skipped, or if its failure is tolerated
     */
    record Ended(@Nullable JsonValue result, boolean succeeded) implements StepState {
        private static final Ended SUCCEEDED = new Ended(null, true);
        private static final Ended OTHERWISE = new Ended(null, false);

        /** The same end without the result. Steps share the two objects, because a list may have many ended steps. */
        Ended withoutResult() {
            return succeeded ? SUCCEEDED : OTHERWISE;
        }
    }

    /** The step is a container in progress. */
    sealed interface Container extends StepState permits LoopState, BranchState {
        /** Estimates the memory that the container and everything inside occupy, in bytes. */
        long weight();

        /** Estimates the part of the weight that a fresh fold would leave in the history, in bytes. */
        long storableWeight();
    }
}
