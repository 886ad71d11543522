package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionText;
import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.javascript.JavaScript;
import java.util.Optional;

/**
 * Whether a join with a script ends now, although some of its tasks may still run.
 *
 * <p>A script may fail because it reads outputs that do not exist yet. The join then stays open, and its script is
 * evaluated again once all tasks have ended.
 *
 * @param before the step that must have ended first
 * @param isFork whether that step is a dynamic fork. A fork ends only with its last task, so it is enough that the fork
 *     has begun.
 * @param answer of the script, as {@link JoinEnd} reads it
 */
record JoinReady(String before, boolean isFork, Expression answer) implements Computed {
    private static final String FUNCTION = "join_ready";
    private static final String FUNCTION_OF_FORK = "fork_ready";

    @Override
    public JsonValue evaluate(Scope scope) {
        boolean mayEnd = scope.findStepResult(before).isPresent()
                || (isFork && scope.findLoop(before).isPresent());
        return mayEnd && ends(scope) ? JsonValue.TRUE : JsonValue.FALSE;
    }

    private boolean ends(Scope scope) {
        try {
            return JoinEnd.isEnd(answer.evaluate(scope));
        } catch (EvaluationFailed tooEarly) {
            return false;
        }
    }

    @Override
    public Reads reads() {
        return Reads.step(before).and(answer.reads());
    }

    /** Writes a script only if it has no comma outside brackets, which would begin another argument. */
    @Override
    public Optional<String> text() {
        return ExpressionText.of(answer)
                .filter(JavaScript::isOneArgument)
                .map(script -> ConductorFunctions.FAMILY + "." + (isFork ? FUNCTION_OF_FORK : FUNCTION) + "("
                        + JsonStrings.quote(before) + ", " + script + "\n)");
    }
}
