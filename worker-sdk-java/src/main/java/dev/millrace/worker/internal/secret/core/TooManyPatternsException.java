package dev.millrace.worker.internal.secret.core;

/** Secrets are too large, or too many, to be masked. */
public final class TooManyPatternsException extends Exception {
    private static final long serialVersionUID = 1L;

    TooManyPatternsException(int bytesMax) {
        super("they are too large to be masked, since all their spellings have more than " + bytesMax
                + " bytes; use fewer or smaller secrets, or let the script fetch large ones itself");
    }
}
