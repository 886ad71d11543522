package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.RunOperation;
import java.util.Optional;

/** What is done to each run. */
sealed interface BulkAction {
    /** Changes the course of the run. */
    record Change(RunOperation operation) implements BulkAction {
        public Change {
            requireNonNull(operation, "operation");
        }

        @Override
        public BulkOperationKind kind() {
            return switch (operation) {
                case RunOperation.Cancel _ -> BulkOperationKind.CANCEL;
                case RunOperation.Pause _ -> BulkOperationKind.PAUSE;
                case RunOperation.Resume _ -> BulkOperationKind.RESUME;
                case RunOperation.Retry _ -> BulkOperationKind.RETRY;
                case RunOperation.SkipStep _ -> BulkOperationKind.SKIP_STEP;
            };
        }
    }

    /**
     * Begins a new run after the model of the run.
     *
     * @param from key of the step to begin at; absent for the beginning
     */
    record Begin(Optional<String> from) implements BulkAction {
        public Begin {
            requireNonNull(from, "from");
        }

        @Override
        public BulkOperationKind kind() {
            return from.isPresent() ? BulkOperationKind.RERUN_FROM : BulkOperationKind.RESTART;
        }
    }

    BulkOperationKind kind();

    /** Key of the step that it is about; empty for none. */
    default String stepKey() {
        return switch (this) {
            case Change(RunOperation.SkipStep skip) -> skip.stepKey();
            case Change _ -> "";
            case Begin(Optional<String> from) -> from.orElse("");
        };
    }
}
