package dev.millrace.cli;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Failure that ends a command with an exit code and a message for people: full sentences that say what happened, where,
 * and what to do. The root of all expected failures of this module.
 */
public class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    public CommandFailure(ExitCode exitCode, String message) {
        this(exitCode, message, null);
    }

    public CommandFailure(ExitCode exitCode, String message, @Nullable Throwable cause) {
        super(requireNonNull(message, "message"), cause);
        this.exitCode = requireNonNull(exitCode, "exitCode");
    }

    public ExitCode exitCode() {
        return exitCode;
    }

    /** Like {@link #getMessage()}, but never null. */
    public String text() {
        return requireNonNull(getMessage(), "message");
    }
}
