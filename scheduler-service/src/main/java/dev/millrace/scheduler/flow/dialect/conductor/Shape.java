package dev.millrace.scheduler.flow.dialect.conductor;

import static java.util.Map.entry;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;

/** Conversion of the result of a step into the output of a task, which is always an object. */
enum Shape {
    /** Keeps an object; wraps any other result as {@code {"result": …}}; turns null into {@code {}}. */
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
    /** Ignores the result: the output is empty. */
    NOTHING {
        @Override
        JsonValue of(JsonValue result) {
            return JsonValue.EMPTY_OBJECT;
        }
    },
    /** Takes the payload of a signal or of a person's input. */
    PAYLOAD {
        @Override
        JsonValue of(JsonValue result) {
            return OBJECT.of(JsonObjects.member(result, "payload"));
        }
    },
    /** Renames the members of an HTTP response to Conductor's names. */
    RESPONSE {
        @Override
        JsonValue of(JsonValue result) {
            JsonValue status = JsonObjects.member(result, "status");
            Map<String, JsonValue> response = new LinkedHashMap<>();
            response.put("statusCode", status);
            response.put("reasonPhrase", JsonValue.ofString(REASONS.getOrDefault(status.text(), "")));
            response.put("headers", JsonObjects.member(result, "headers"));
            response.put("body", body(JsonObjects.member(result, "body")));
            JsonValue encoding = JsonObjects.member(result, "body_encoding");
            if (!encoding.isNull()) {
                response.put("bodyEncoding", encoding);
            }
            return JsonObjects.of(Map.of("response", JsonObjects.of(response)));
        }
    },
    /** Takes the id of a run that was started. */
    STARTED {
        @Override
        JsonValue of(JsonValue result) {
            return JsonObjects.of(Map.of("workflowId", JsonObjects.member(result, "run_id")));
        }
    };

    /** Reason phrases of the statuses with which a request succeeds. */
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

    /**
     * Converts a body as Conductor does: booleans become strings. Conductor makes doubles of numbers, too, which costs the
     * digits of large ones, so they stay as they are.
     */
    private static JsonValue body(JsonValue body) {
        return switch (body.kind()) {
            case BOOLEAN -> JsonValue.ofString(body.text());
            case NUMBER, OBJECT, ARRAY, STRING, NULL -> body;
        };
    }

    /** The output for the result of a step that succeeded. */
    abstract JsonValue of(JsonValue result);

    /** The output for any result. A tolerated failure remains {@code {"error": …}}. */
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
            case HTTP, HTTP_POLL -> RESPONSE;
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
