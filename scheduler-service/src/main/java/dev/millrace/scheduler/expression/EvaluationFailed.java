package dev.millrace.scheduler.expression;

/** Carries the message of a failed evaluation up to {@link Template#resolve}, which makes it a value. Has no stack: it is no bug. */
public final class EvaluationFailed extends RuntimeException {
    private final String name;

    /** A value that should be there is not, or is of the wrong kind. */
    public EvaluationFailed(String message) {
        this("MissingValue", message);
    }

    /**
     * @param name type of the error, for example {@code ExpressionFailed}
     * @param message full sentences for a person
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
