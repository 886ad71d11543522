package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Optional;

/** One part of the {@code startWorkflow} of a START_WORKFLOW task, if that object is known only at run time. */
record StartRequest(Expression start, Part part) implements Computed {
    /** Members that would change the started run but are not supported. */
    static final List<String> UNSUPPORTED =
            List.of("taskToDomain", "idempotencyKey", "workflowDef", "externalInputPayloadStoragePath");

    /** Part of {@code startWorkflow} that the expression returns. */
    enum Part {
        /** The path of the flow to start. */
        FLOW,
        /** The input of the started run. */
        INPUT
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue given = start.evaluate(scope);
        return switch (part) {
            case FLOW -> JsonValue.ofString(flow(given));
            case INPUT -> input(given);
        };
    }

    /** Returns the path of the flow to start. */
    static String flow(JsonValue start) {
        if (start.kind() != JsonValue.Kind.OBJECT) {
            throw new EvaluationFailed("startWorkflow is " + start.kind().phrase()
                    + " (expected: an object such as {\"name\": \"report\", \"input\": {}}).");
        }
        for (String key : UNSUPPORTED) {
            JsonValue value = JsonObjects.member(start, key);
            if (value.isTruthy() && !value.equals(JsonValue.EMPTY_OBJECT)) {
                throw new EvaluationFailed("startWorkflow has \"" + key + "\", which is not supported here.");
            }
        }
        JsonValue name = JsonObjects.member(start, "name");
        if (name.kind() != JsonValue.Kind.STRING || name.string().isBlank()) {
            throw new EvaluationFailed("startWorkflow has no name (expected: the name of a deployed workflow).");
        }
        return WorkflowNames.path(name.string(), JsonObjects.member(start, "version"));
    }

    /** Returns the input of the started run. */
    static JsonValue input(JsonValue start) {
        JsonValue input = JsonObjects.member(start, "input");
        return input.isNull() ? JsonValue.EMPTY_OBJECT : input;
    }

    @Override
    public Reads reads() {
        return start.reads();
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".start_request")
                .expression(start)
                .word(part)
                .write();
    }
}
