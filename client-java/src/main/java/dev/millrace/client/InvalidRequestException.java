package dev.millrace.client;

/** The request breaks a rule of its fields; {@link #violations} lists them. */
public sealed class InvalidRequestException extends ClientException permits InvalidFlowException {
    private static final long serialVersionUID = 1L;

    InvalidRequestException(CallFailure failure) {
        super(failure, "Correct the named fields.");
    }

    InvalidRequestException(CallFailure failure, String remedy) {
        super(failure, remedy);
    }
}
