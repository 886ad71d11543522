package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.util.function.UnaryOperator;

/** A request that the server has refused, possibly with fields that are wrong. */
public final class RefusedRequest extends CommandFailure {
    private static final long serialVersionUID = 1L;

    private final transient JsonNode problem;

    RefusedRequest(ExitCode exitCode, JsonNode problem, UnaryOperator<String> names) {
        super(exitCode, Problem.message(problem, names));
        this.problem = problem;
    }

    /**
     * The same refusal in the words of whoever made the request.
     *
     * @param names what that is for a field of the request: an option of a command, for example, or a key of a file
     */
    public RefusedRequest naming(UnaryOperator<String> names) {
        return new RefusedRequest(exitCode(), problem, names);
    }
}
