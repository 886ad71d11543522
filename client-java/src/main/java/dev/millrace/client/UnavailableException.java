package dev.millrace.client;

/** The scheduler could not be reached; retries did not help. The call may have taken effect. */
public final class UnavailableException extends ClientException {
    private static final long serialVersionUID = 1L;

    UnavailableException(CallFailure failure) {
        super(
                failure,
                "Check the address and whether the scheduler runs; "
                        + "the same call with the same request id is safe to repeat.");
    }

    @Override
    boolean mayPass() {
        return true;
    }
}
