package dev.millrace.client;

/** The scheduler accepts no more work for now, or a quota is used up; retries did not help. */
public final class OverloadedException extends ClientException {
    private static final long serialVersionUID = 1L;

    OverloadedException(CallFailure failure) {
        super(failure, "Send less at once, or try again later.");
    }

    @Override
    boolean mayPass() {
        return retryAfter().isPresent();
    }
}
