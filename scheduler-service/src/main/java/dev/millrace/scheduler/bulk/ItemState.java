package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/** State of one run of a bulk operation. */
sealed interface ItemState {
    /** The operation has not been applied yet. */
    record Waiting() implements ItemState {}

    /**
     * The operation was applied, and is recorded among the run's operations.
     *
     * @param newRun the run that was started from this one; absent if this run itself was changed
     */
    record Done(Optional<RunId> newRun) implements ItemState {
        public Done {
            requireNonNull(newRun, "newRun");
        }
    }

    /** The run rejected the operation; {@code message} says why in full sentences. */
    record Failed(String code, String message) implements ItemState {
        public Failed {
            requireNonNull(code, "code");
            requireNonNull(message, "message");
        }
    }

    /** The operation was canceled before it reached the run. */
    record LeftOut() implements ItemState {}

    short WAITING = 1;
    short DONE = 2;
    short FAILED = 3;
    short LEFT_OUT = 4;

    /** The database's code. */
    default short stored() {
        return switch (this) {
            case Waiting _ -> WAITING;
            case Done _ -> DONE;
            case Failed _ -> FAILED;
            case LeftOut _ -> LEFT_OUT;
        };
    }
}
