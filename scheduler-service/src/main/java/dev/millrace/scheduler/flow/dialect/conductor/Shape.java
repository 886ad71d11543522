package dev.millrace.scheduler.flow.dialect.conductor;

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
            Map<String, JsonValue> response = new LinkedHashMap<>();
            response.put("statusCode", JsonObjects.member(result, "status"));
            response.put("headers", JsonObjects.member(result, "headers"));
            response.put("body", JsonObjects.member(result, "body"));
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
