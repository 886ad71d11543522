package dev.millrace.scheduler.expression.evaluator;

import dev.millrace.scheduler.expression.EvaluationFailed;

/** Asks for values as an expression does: what has none throws. */
public final class Remote {
    private Remote() {}

    /** The text of a request's value. Fails with {@link EvaluationFailed} where it has none. */
    public static String value(Request request) {
        return value(Evaluators.shared().evaluate(request));
    }

    /** The text of a value; fails with {@link EvaluationFailed} where there is none. */
    public static String value(Answer answer) {
        return switch (answer) {
            case Answer.Value(String text) -> text;
            case Answer.Failed(String name, String message) -> throw new EvaluationFailed(name, message);
            case Answer.Invalid(String message, String remedy) ->
                throw new EvaluationFailed("ExpressionFailed", message + " " + remedy);
        };
    }
}
