package dev.millrace.cli;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Ends a command with an exit code and a message for a person: full sentences that say what, where and what to do.
 * The root of all expected failures of this module.
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

    /** The message; unlike {@link #getMessage()}, never null. */
    public String text() {
        return requireNonNull(getMessage(), "message");
    }
}
