package dev.millrace.client;

/** The caller may not do this. */
public final class PermissionDeniedException extends ClientException {
    private static final long serialVersionUID = 1L;

    PermissionDeniedException(CallFailure failure) {
        super(failure, "Ask an administrator of the workspace for the role.");
    }
}
