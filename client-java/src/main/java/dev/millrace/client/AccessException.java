package dev.millrace.client;

import org.jspecify.annotations.Nullable;

/** The settings name no scheduler, or one that the program must not call in this way. */
public final class AccessException extends MillraceException {
    private static final long serialVersionUID = 1L;

    public AccessException(String message) {
        this(message, null);
    }

    public AccessException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
