package dev.millrace.client;

/** The request id belongs to an earlier request with other content. */
public final class RequestIdReusedException extends ClientException {
    private static final long serialVersionUID = 1L;

    RequestIdReusedException(CallFailure failure) {
        super(failure, "Use a request id of its own for each request.");
    }
}
