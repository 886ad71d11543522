package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;

/** An operation that users and programs can perform on a run. */
public sealed interface RunOperation {
    /** Ends a run: drops its waiting jobs and stops its running jobs on their workers. */
    record Cancel() implements RunOperation {
        @Override
        public OperationKind kind() {
            return OperationKind.CANCEL;
        }
    }

    /** Pauses a run: its running jobs finish, and workers receive no further ones. */
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

    /** Reopens a failed or canceled run to redo what failed or was canceled, and keeps what succeeded. */
    record Retry() implements RunOperation {
        @Override
        public OperationKind kind() {
            return OperationKind.RETRY;
        }
    }

    /** Ends a live step as skipped, with a given result. */
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

    /** Name of the operation in the record of operations. */
    OperationKind kind();
}
