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
 * Whether a join with a script ends now, although tasks that it joins on may still run. A script that fails, as it misses what they have not put out
 * yet, is looked at again once all have ended.
 *
 * @param before the step that must have ended in any case
 * @param isFork whether that is a dynamic fork, which has ended only with its last task: of that it is enough that it has begun
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

    /** A comma outside of brackets would begin another argument. */
    @Override
    public Optional<String> text() {
        return ExpressionText.of(answer)
                .filter(JavaScript::isOneArgument)
                .map(script -> ConductorFunctions.FAMILY + "." + (isFork ? FUNCTION_OF_FORK : FUNCTION) + "("
                        + JsonStrings.quote(before) + ", " + script + "\n)");
    }
}
