package dev.millrace.worker;

import static java.util.Objects.requireNonNull;

/** Fails an attempt with an error name of the handler's choice, and tells whether another attempt may succeed. */
public final class JobException extends RuntimeException {
    private final String name;
    private final boolean retryable;

    /**
     * @param name type of the error, for example {@code ImageTooLarge}
     * @param message one or more full sentences for a person
     * @param retryable false if every further attempt would fail in the same way
     */
    public JobException(String name, String message, boolean retryable) {
        super(requireNonNull(message, "message"));
        this.name = requireNonNull(name, "name");
        this.retryable = retryable;
    }

    public String name() {
        return name;
    }

    public boolean isRetryable() {
        return retryable;
    }
}
