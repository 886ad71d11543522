package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.RunId;

/** The result of an operation on a run. */
public sealed interface OperationResult {
    /**
     * The run is durably in the requested state.
     *
     * @param changed whether the operation changed the run
     */
    record Done(boolean changed) implements OperationResult {}

    /** The operation was rejected and changed nothing. {@code message} gives the reason in a full sentence. */
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

    static OperationResult ended(RunId run, RunOperation operation) {
        return new Refused(
                ErrorCode.RUN_ENDED,
                "The run " + run + " has ended already: there is nothing to "
                        + operation.kind().text() + ".");
    }

    /** The request id was used for a different operation. */
    static OperationResult requestIdReused(String requestId, OperationKind operation) {
        return new Refused(
                ErrorCode.REQUEST_ID_REUSED,
                "The request id \"" + requestId + "\" was used for another operation on the run: " + operation.text()
                        + ". Choose another id.");
    }

    static OperationResult live(RunId run, RunOperation operation) {
        return new Refused(
                ErrorCode.RUN_STATE_UNSUITABLE,
                "The run " + run + " has not ended: wait for its end or cancel it, before you "
                        + operation.kind().text()
                        + " it.");
    }

    /** The run has no such step, or none in the required state. {@code what} describes the required state. */
    static OperationResult stepNotFound(RunId run, String stepKey, String what) {
        return new Refused(ErrorCode.STEP_NOT_FOUND, "The run " + run + " has no step " + stepKey + " " + what + ".");
    }

    /** Throws a {@link MillraceException} if the operation was rejected. */
    default void orThrow() {
        if (this instanceof Refused(ErrorCode code, String message)) {
            throw new MillraceException(code, message);
        }
    }
}
