package dev.millrace.scheduler.flow.dialect.conductor;

import static java.util.Map.entry;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;

/** How the result of a step becomes the output of a task, which is always an object. */
enum Shape {
    /** An object stays as it is; any other result becomes {@code {"result": …}}, none becomes {@code {}}. */
    OBJECT {
        @Override
        JsonValue of(JsonValue result) {
            return switch (result.kind()) {
                case OBJECT -> result;
                case NULL -> JsonValue.EMPTY_OBJECT;
                case ARRAY, STRING, NUMBER, BOOLEAN -> JsonObjects.of(Map.of("result", result));
            };
        }
    },
    /** The task has no output. */
    NOTHING {
        @Override
        JsonValue of(JsonValue result) {
            return JsonValue.EMPTY_OBJECT;
        }
    },
    /** What came with a signal, or what a person handed in. */
    PAYLOAD {
        @Override
        JsonValue of(JsonValue result) {
            return OBJECT.of(JsonObjects.member(result, "payload"));
        }
    },
    /** A response, with the words of Conductor. */
    RESPONSE {
        @Override
        JsonValue of(JsonValue result) {
            JsonValue status = JsonObjects.member(result, "status");
            Map<String, JsonValue> response = new LinkedHashMap<>();
            response.put("statusCode", status);
            response.put("reasonPhrase", JsonValue.ofString(REASONS.getOrDefault(status.text(), "")));
            response.put("headers", JsonObjects.member(result, "headers"));
            response.put("body", body(JsonObjects.member(result, "body")));
            return JsonObjects.of(Map.of("response", JsonObjects.of(response)));
        }
    },
    /** A run that was started. */
    STARTED {
        @Override
        JsonValue of(JsonValue result) {
            return JsonObjects.of(Map.of("workflowId", JsonObjects.member(result, "run_id")));
        }
    };

    /** The phrases of the statuses after which a request succeeds. */
    private static final Map<String, String> REASONS = Map.ofEntries(
            entry("200", "OK"),
            entry("201", "Created"),
            entry("202", "Accepted"),
            entry("203", "Non-Authoritative Information"),
            entry("204", "No Content"),
            entry("205", "Reset Content"),
            entry("206", "Partial Content"),
            entry("207", "Multi-Status"),
            entry("208", "Already Reported"),
            entry("226", "IM Used"));

    /** Conductor reads a number as a double, and true and false as texts. */
    private static JsonValue body(JsonValue body) {
        return switch (body.kind()) {
            case NUMBER -> JsonValue.of(Double.toString(Double.parseDouble(body.text())));
            case BOOLEAN -> JsonValue.ofString(body.text());
            case OBJECT, ARRAY, STRING, NULL -> body;
        };
    }

    /** The output for the result of a step that succeeded. */
    abstract JsonValue of(JsonValue result);

    /** The output for a result, which may be that of a failure that was tolerated: that stays {@code {"error": …}}. */
    final JsonValue output(JsonValue result) {
        return isToleratedFailure(result) ? result : of(result);
    }

    static boolean isToleratedFailure(JsonValue result) {
        return result.kind() == JsonValue.Kind.OBJECT
                && result.members().size() == 1
                && !JsonObjects.member(JsonObjects.member(result, "error"), "step_id")
                        .isNull();
    }

    static Shape of(TaskNode task) {
        return AsyncCompletion.applies(task) ? OBJECT : of(task.type());
    }

    static Shape of(TaskType type) {
        return switch (type) {
            case HTTP -> RESPONSE;
            case WAIT, HUMAN -> PAYLOAD;
            case START_WORKFLOW -> STARTED;
            case SET_VARIABLE, KAFKA_PUBLISH, FORK_JOIN_DYNAMIC, TERMINATE -> NOTHING;
            case SIMPLE,
                    USER_DEFINED,
                    DYNAMIC,
                    JSON_JQ_TRANSFORM,
                    INLINE,
                    LAMBDA,
                    NOOP,
                    SWITCH,
                    DECISION,
                    FORK_JOIN,
                    JOIN,
                    EXCLUSIVE_JOIN,
                    DO_WHILE,
                    SUB_WORKFLOW,
                    EVENT -> OBJECT;
        };
    }
}
