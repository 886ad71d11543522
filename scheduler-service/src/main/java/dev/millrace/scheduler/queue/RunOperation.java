package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;

/** What people and programs may do to a run. */
public sealed interface RunOperation {
    /** Ends it: waiting jobs are dropped, running ones are stopped on their workers. */
    record Cancel() implements RunOperation {
        @Override
        public OperationKind kind() {
            return OperationKind.CANCEL;
        }
    }

    /** What runs finishes; nothing more is given to workers. */
    record Pause() implements RunOperation {
        @Override
        public OperationKind kind() {
            return OperationKind.PAUSE;
        }
    }

    /** Ends a pause. */
    record Resume() implements RunOperation {
        @Override
        public OperationKind kind() {
            return OperationKind.RESUME;
        }
    }

    /** Puts a failed or canceled run back, to do again what failed or was canceled; what succeeded stays. */
    record Retry() implements RunOperation {
        @Override
        public OperationKind kind() {
            return OperationKind.RETRY;
        }
    }

    /** Ends a live step as skipped, with this result. */
    record Skip(String stepKey, Json result) implements RunOperation {
        public Skip {
            requireNonNull(stepKey, "stepKey");
            requireNonNull(result, "result");
        }

        @Override
        public OperationKind kind() {
            return OperationKind.SKIP;
        }
    }

    /** The kind, which the record of operations names. */
    OperationKind kind();
}
