package dev.millrace.client;

import org.jspecify.annotations.Nullable;

/** Root of all errors of the client. The message says what happened, where, and what to do. */
public class MillraceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MillraceException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
