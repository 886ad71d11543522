package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/** What has become of one run of an operation on many. */
sealed interface ItemState {
    /** The operation has yet to come to it. */
    record Waiting() implements ItemState {}

    /**
     * Done, and on record among the operations of the run.
     *
     * @param newRun the run that was begun after its model; absent where the run itself was changed
     */
    record Done(Optional<RunId> newRun) implements ItemState {
        public Done {
            requireNonNull(newRun, "newRun");
        }
    }

    /** The run refused it; {@code message} says why, in full sentences. */
    record Failed(String code, String message) implements ItemState {
        public Failed {
            requireNonNull(code, "code");
            requireNonNull(message, "message");
        }
    }

    /** Left out because the operation was canceled. */
    record LeftOut() implements ItemState {}

    short WAITING = 1;
    short DONE = 2;
    short FAILED = 3;
    short LEFT_OUT = 4;

    /** What the database keeps. */
    default short stored() {
        return switch (this) {
            case Waiting _ -> WAITING;
            case Done _ -> DONE;
            case Failed _ -> FAILED;
            case LeftOut _ -> LEFT_OUT;
        };
    }
}
