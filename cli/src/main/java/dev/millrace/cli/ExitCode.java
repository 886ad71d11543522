package dev.millrace.cli;

/** What the process tells its caller when it ends; {@code docs/reference/cli.md} has the table. */
public enum ExitCode {
    OK(0),
    /** The run itself failed or was cancelled; the command worked. */
    RUN_FAILED(1),
    USAGE(2),
    /** Nothing answers at the server's address. */
    UNREACHABLE(3),
    NOT_FOUND(4),
    /** A definition, a script or an input is wrong. */
    INVALID(5),
    /** The server understood and declined, for example because the run has ended or the queue is full. */
    REFUSED(6),
    /** A service could not start here: a port is taken, the database does not answer, a prerequisite is missing. */
    START_FAILED(7),
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
