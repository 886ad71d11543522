package dev.millrace.client;

/** The calling thread was interrupted. The call may have taken effect. */
public final class CallInterruptedException extends ClientException {
    private static final long serialVersionUID = 1L;

    CallInterruptedException(CallFailure failure) {
        super(failure, "Repeat the call with the same request id if it still matters.");
    }
}
