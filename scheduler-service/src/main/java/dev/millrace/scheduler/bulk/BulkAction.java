package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.RunOperation;
import java.util.Optional;

/** What a bulk operation does to each of its runs. */
sealed interface BulkAction {
    /** Changes the course of the run. */
    record Change(RunOperation operation) implements BulkAction {
        public Change {
            requireNonNull(operation, "operation");
        }

        @Override
        public OperationKind kind() {
            return operation.kind();
        }
    }

    /**
     * Starts a new run from the model of the run.
     *
     * @param from key of the first step to execute; absent to start at the beginning
     */
    record Begin(Optional<String> from) implements BulkAction {
        public Begin {
            requireNonNull(from, "from");
        }

        @Override
        public OperationKind kind() {
            return from.isPresent() ? OperationKind.RERUN : OperationKind.RESTART;
        }
    }

    OperationKind kind();

    /** Key of the step that the action names; empty if it names none. */
    default String stepKey() {
        return switch (this) {
            case Change(RunOperation.Skip skip) -> skip.stepKey();
            case Change _ -> "";
            case Begin(Optional<String> from) -> from.orElse("");
        };
    }
}
