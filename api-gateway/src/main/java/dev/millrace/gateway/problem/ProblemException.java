package dev.millrace.gateway.problem;

/** Ends the handling of a request with a problem. */
public final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    public ProblemException(Problem problem) {
        // An expected outcome: its stack trace would add nothing to the problem.
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
