package dev.millrace.client;

/** There was no answer in time. The call may have taken effect. */
public final class TimedOutException extends ClientException {
    private static final long serialVersionUID = 1L;

    TimedOutException(CallFailure failure) {
        super(failure, "Allow more time, or repeat the call with the same request id.");
    }

    @Override
    boolean mayPass() {
        return true;
    }
}
