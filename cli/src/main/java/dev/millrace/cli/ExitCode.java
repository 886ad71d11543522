package dev.millrace.cli;

/** Exit codes of the process. {@code docs/reference/cli.md} lists them for users. */
public enum ExitCode {
    OK(0),
    /** The run itself failed or was canceled, a test failed, or the doctor found an error; the
     * command worked. */
    RUN_FAILED(1),
    USAGE(2),
    /** No server answers at the address. */
    UNREACHABLE(3),
    NOT_FOUND(4),
    /** A definition, a script or an input is invalid. */
    INVALID(5),
    /**
     * The server understood the request and rejected it, for example because the run has ended or the queue is full.
     */
    REFUSED(6),
    /** A service could not start: a port is taken, the database does not answer, or a prerequisite is missing. */
    START_FAILED(7),
    /** The server does not know the caller, or the caller may not do this. */
    NOT_ALLOWED(8),
    /** A defect of Millrace. */
    INTERNAL(70),
    INTERRUPTED(130);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
