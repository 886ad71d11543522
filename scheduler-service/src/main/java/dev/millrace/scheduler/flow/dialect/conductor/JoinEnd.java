package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionText;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.javascript.JavaScript;
import java.util.Optional;

/**
 * Output of a join with a script. Evaluation fails if the script fails the join, or leaves it open although all of its
 * tasks have ended.
 *
 * @param outputs of the tasks that the join waits for; the output of the join unless the script returns another
 * @param answer of the script: true, or an object with {@code status}, {@code reasonForIncompletion} and
 *     {@code outputData}
 */
record JoinEnd(Expression outputs, Expression answer) implements Computed {
    static final String FAILED = "JoinFailed";

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue said = answer.evaluate(scope);
        if (said.equals(JsonValue.TRUE)) {
            return outputs.evaluate(scope);
        }
        String status = status(said);
        return switch (status) {
            case "COMPLETED", "COMPLETED_WITH_ERRORS" -> {
                JsonValue output = JsonObjects.member(said, "outputData");
                yield output.isNull() ? outputs.evaluate(scope) : Shape.OBJECT.of(output);
            }
            case "FAILED", "FAILED_WITH_TERMINAL_ERROR", "CANCELED", "TIMED_OUT" ->
                throw new EvaluationFailed(FAILED, "The script of the join ended it as " + status + reason(said));
            default ->
                throw new EvaluationFailed(
                        FAILED,
                        "The script leaves the join open although all tasks of joinOn have ended, so nothing can "
                                + "end it" + reason(said));
        };
    }

    /** Whether the script ends the join, with success or failure. */
    static boolean isEnd(JsonValue said) {
        return said.equals(JsonValue.TRUE)
                || switch (status(said)) {
                    case "COMPLETED",
                            "COMPLETED_WITH_ERRORS",
                            "FAILED",
                            "FAILED_WITH_TERMINAL_ERROR",
                            "CANCELED",
                            "TIMED_OUT" -> true;
                    default -> false;
                };
    }

    private static String status(JsonValue said) {
        JsonValue status = JsonObjects.member(said, "status");
        return status.kind() == JsonValue.Kind.STRING ? status.string() : "";
    }

    private static String reason(JsonValue said) {
        JsonValue reason = JsonObjects.member(said, "reasonForIncompletion");
        return switch (reason.kind()) {
            case NULL -> ".";
            case STRING -> ": " + reason.string();
            case OBJECT, ARRAY, NUMBER, BOOLEAN -> ": " + reason;
        };
    }

    @Override
    public Reads reads() {
        return outputs.reads().and(answer.reads());
    }

    /** Writes a script only if it has no comma outside brackets, which would begin another argument. */
    @Override
    public Optional<String> text() {
        Optional<String> script = ExpressionText.of(answer).filter(JavaScript::isOneArgument);
        return ExpressionText.of(outputs)
                .flatMap(all ->
                        script.map(text -> ConductorFunctions.FAMILY + ".join_end(" + all + ", " + text + "\n)"));
    }
}
