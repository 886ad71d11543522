package dev.millrace.scheduler.expression;

/**
 * Exception that carries the message of a failed evaluation up to {@link Template#resolve}, which returns it as a
 * value. It has no stack trace, because it is not a bug.
 */
public final class EvaluationFailed extends RuntimeException {
    private final String name;

    /** Creates a failure for a value that is missing or of the wrong kind. */
    public EvaluationFailed(String message) {
        this("MissingValue", message);
    }

    /**
     * Creates a failure.
     *
     * @param name type of the error, for example {@code ExpressionFailed}
     * @param message full sentences for users
     */
    public EvaluationFailed(String name, String message) {
        super(message, null, false, false);
        this.name = name;
    }

    /** Type of the error. */
    public String name() {
        return name;
    }

    /** The message. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
