package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.javascript.Binding;
import dev.millrace.scheduler.expression.javascript.JavaScript;
import dev.millrace.scheduler.expression.javascript.Names;
import dev.millrace.scheduler.expression.jq.JqQuery;
import java.util.Map;
import java.util.Optional;

/**
 * Output of a task that needs no worker and whose script or query is known only at run time, because its input contains
 * expressions.
 */
record TaskValue(TaskType type, Expression input) implements Computed {
    /** Evaluator of a script without {@code evaluatorType}. */
    static final String DEFAULT_EVALUATOR = "javascript";

    @Override
    public JsonValue evaluate(Scope scope) {
        return of(type, input.evaluate(scope), scope);
    }

    /** Evaluates a task of this type with this input. */
    static JsonValue of(TaskType type, JsonValue input, Scope scope) {
        return switch (type) {
            case INLINE -> result(inline(input, scope));
            case LAMBDA -> result(script(text(input, "scriptExpression"), input, scope));
            case JSON_JQ_TRANSFORM ->
                evaluate(JqQuery.readUnchecked(text(input, "queryExpression"), Composed.constant(input)), scope);
            default -> JsonValue.EMPTY_OBJECT;
        };
    }

    private static JsonValue result(JsonValue value) {
        return JsonObjects.of(Map.of("result", value));
    }

    private static JsonValue inline(JsonValue input, Scope scope) {
        String evaluator =
                JsonObjects.member(input, "evaluatorType").isNull() ? DEFAULT_EVALUATOR : text(input, "evaluatorType");
        String expression = text(input, "expression");
        if (!Scripts.EVALUATORS.contains(evaluator)) {
            throw new EvaluationFailed("The evaluator \"" + evaluator + "\" is unknown (expected: "
                    + String.join(", ", Scripts.EVALUATORS) + ").");
        }
        return evaluator.equals(Scripts.VALUE_PARAM)
                ? JsonObjects.member(input, expression)
                : script(expression, input, scope);
    }

    private static JsonValue script(String source, JsonValue input, Scope scope) {
        Expression parameters = Composed.constant(input);
        return evaluate(JavaScript.read(source, new Names(Map.of("$", new Binding.Value(parameters)), true)), scope);
    }

    private static JsonValue evaluate(ExpressionReading reading, Scope scope) {
        return switch (reading) {
            case ExpressionReading.Read read -> read.expression().evaluate(scope);
            case ExpressionReading.Unreadable unreadable ->
                throw new EvaluationFailed(unreadable.message() + " " + unreadable.remedy());
        };
    }

    private static String text(JsonValue input, String name) {
        JsonValue value = JsonObjects.member(input, name);
        if (value.kind() != JsonValue.Kind.STRING) {
            throw new EvaluationFailed("The input of the task has "
                    + (value.isNull()
                            ? "no " + name
                            : name + " as " + value.kind().phrase()) + " (expected: a string).");
        }
        return value.string();
    }

    @Override
    public Reads reads() {
        return input.reads();
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".task_value")
                .word(type)
                .expression(input)
                .write();
    }
}
