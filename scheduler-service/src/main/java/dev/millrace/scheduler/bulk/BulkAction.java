package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.Json;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

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

    /** Operations that a bulk operation can apply. */
    Set<OperationKind> KINDS =
            Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(OperationKind.PIN, OperationKind.UNPIN)));

    /**
     * The action of this kind, which must be one of {@link #KINDS}.
     *
     * @param step key of the step to skip or to begin at; ignored by other kinds
     * @param result of the skipped step; called for {@link OperationKind#SKIP} only
     */
    static BulkAction of(OperationKind kind, String step, Supplier<Json> result) {
        return switch (kind) {
            case CANCEL -> new Change(new RunOperation.Cancel());
            case PAUSE -> new Change(new RunOperation.Pause());
            case RESUME -> new Change(new RunOperation.Resume());
            case RETRY -> new Change(new RunOperation.Retry());
            case SKIP -> new Change(new RunOperation.Skip(step, result.get()));
            case RESTART -> new Begin(Optional.empty());
            case RERUN -> new Begin(Optional.of(step));
            case PIN, UNPIN -> throw new IllegalArgumentException("not for many runs: " + kind);
        };
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
