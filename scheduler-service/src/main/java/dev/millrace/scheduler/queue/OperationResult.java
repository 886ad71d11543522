package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.RunId;

/** What became of an operation on a run. */
public sealed interface OperationResult {
    /**
     * The run is as asked for, durably.
     *
     * @param changed whether it was otherwise before
     */
    record Done(boolean changed) implements OperationResult {}

    /** Nothing has changed; {@code message} says why not, in a full sentence. */
    record Refused(ErrorCode code, String message) implements OperationResult {
        public Refused {
            requireNonNull(code, "code");
            requireNonNull(message, "message");
        }
    }

    /** There is no such run. */
    static OperationResult notFound(RunId run) {
        return new Refused(ErrorCode.RUN_NOT_FOUND, "There is no run " + run + ".");
    }

    /** The run is over. */
    static OperationResult ended(RunId run, RunOperation operation) {
        return new Refused(
                ErrorCode.RUN_ENDED,
                "The run " + run + " has ended already: there is nothing to "
                        + operation.kind().text() + ".");
    }

    /** A request with this id had another operation. */
    static OperationResult requestIdReused(String requestId, OperationKind operation) {
        return new Refused(
                ErrorCode.REQUEST_ID_REUSED,
                "The request id \"" + requestId + "\" was used for another operation on the run: " + operation.text()
                        + ". Choose another id.");
    }

    /** The run is not over. */
    static OperationResult live(RunId run, RunOperation operation) {
        return new Refused(
                ErrorCode.RUN_STATE_UNSUITABLE,
                "The run " + run + " has not ended: wait for its end or cancel it, before you "
                        + operation.kind().text()
                        + " it.");
    }

    /** The run has no such step, or not at this moment; {@code what} says which it should be. */
    static OperationResult stepNotFound(RunId run, String stepKey, String what) {
        return new Refused(ErrorCode.STEP_NOT_FOUND, "The run " + run + " has no step " + stepKey + " " + what + ".");
    }

    /** Fails where the operation was refused. */
    default void orThrow() {
        if (this instanceof Refused(ErrorCode code, String message)) {
            throw new MillraceException(code, message);
        }
    }
}
