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

/** The result of a task of a dynamic fork that needs no worker. Its script or query is in its input, so that it is read only here. */
record ForkedValue() implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue task = scope.item();
        JsonValue input = JsonObjects.member(task, ForkedTask.INPUT);
        return switch (type(task)) {
            case INLINE -> result(inline(input, scope));
            case LAMBDA -> result(script(text(input, "scriptExpression"), input, scope));
            case JSON_JQ_TRANSFORM ->
                evaluate(JqQuery.read(text(input, "queryExpression"), Composed.constant(input)), scope);
            default -> JsonValue.EMPTY_OBJECT;
        };
    }

    private static TaskType type(JsonValue task) {
        JsonValue target = JsonObjects.member(task, ForkedTask.TARGET);
        return (target.kind() == JsonValue.Kind.STRING ? TaskType.find(target.string()) : Optional.<TaskType>empty())
                .orElseThrow(() -> new EvaluationFailed("The item is no task of a dynamic fork."));
    }

    private static JsonValue result(JsonValue value) {
        return JsonObjects.of(Map.of("result", value));
    }

    private static JsonValue inline(JsonValue input, Scope scope) {
        String evaluator = text(input, "evaluatorType");
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
        return evaluate(JavaScript.read(source, new Names(Map.of("$", new Binding.Value(parameters)))), scope);
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
        return Reads.NOTHING;
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".forked_value").write();
    }
}
