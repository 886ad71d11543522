package dev.millrace.tls;

/** A setting of TLS that cannot be used: the message says why, and what to do. */
public final class TlsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public TlsException(String message) {
        super(message);
    }

    TlsException(String message, Throwable cause) {
        super(message, cause);
    }
}
