package dev.millrace.gateway.problem;

/** Ends the handling of a request with a problem. */
public final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    public ProblemException(Problem problem) {
        // An expected outcome: the stack would tell nothing that the problem does not.
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
