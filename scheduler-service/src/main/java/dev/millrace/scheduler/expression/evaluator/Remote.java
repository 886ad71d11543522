package dev.millrace.scheduler.expression.evaluator;

import dev.millrace.scheduler.expression.EvaluationFailed;

/** Conversion of answers into values or {@link EvaluationFailed}. */
public final class Remote {
    private Remote() {}

    /**
     * Evaluates a request and returns its value as text.
     *
     * @throws EvaluationFailed if the request has no value
     */
    public static String value(Request request) {
        return value(Evaluators.shared().evaluate(request));
    }

    /**
     * Returns the value of an answer as text.
     *
     * @throws EvaluationFailed if the answer has no value
     */
    public static String value(Answer answer) {
        return switch (answer) {
            case Answer.Value(String text) -> text;
            case Answer.Failed(String name, String message) -> throw new EvaluationFailed(name, message);
            case Answer.Invalid(String message, String remedy) ->
                throw new EvaluationFailed("ExpressionFailed", message + " " + remedy);
        };
    }
}
