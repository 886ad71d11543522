package dev.millrace.client;

/** What the call names does not exist, or the caller may not know of it. */
public final class NotFoundException extends ClientException {
    private static final long serialVersionUID = 1L;

    NotFoundException(CallFailure failure) {
        super(failure, "Check the name and the workspace.");
    }
}
