package dev.millrace.client;

/** The definition of a flow has problems; {@link #violations} lists them with their places. */
public final class InvalidFlowException extends InvalidRequestException {
    private static final long serialVersionUID = 1L;

    InvalidFlowException(CallFailure failure) {
        super(failure, "Correct the definition.");
    }
}
