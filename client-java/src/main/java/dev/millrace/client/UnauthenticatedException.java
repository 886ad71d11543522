package dev.millrace.client;

/** Nobody knows the caller: the token is missing, unknown, expired or revoked. */
public final class UnauthenticatedException extends ClientException {
    private static final long serialVersionUID = 1L;

    UnauthenticatedException(CallFailure failure) {
        super(failure, "Log in with ./millrace login, or set MILLRACE_TOKEN.");
    }
}
