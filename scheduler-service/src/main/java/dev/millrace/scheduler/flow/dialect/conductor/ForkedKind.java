package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.Locale;
import java.util.Optional;

/** What the tasks of a dynamic fork become. */
enum ForkedKind {
    /** A job on a worker. */
    JOB,
    /** A value that is worked out without a worker. */
    VALUE,
    /** A change of variables. */
    VARIABLES,
    /** The start of a run. */
    START;

    /** What tasks of a type become; empty where they cannot be forked dynamically. */
    static Optional<ForkedKind> of(TaskType type) {
        return switch (type) {
            case SIMPLE, USER_DEFINED, HTTP, KAFKA_PUBLISH -> Optional.of(JOB);
            case INLINE, LAMBDA, JSON_JQ_TRANSFORM, NOOP -> Optional.of(VALUE);
            case SET_VARIABLE -> Optional.of(VARIABLES);
            case START_WORKFLOW -> Optional.of(START);
            case DYNAMIC,
                    TERMINATE,
                    SWITCH,
                    DECISION,
                    FORK_JOIN,
                    FORK_JOIN_DYNAMIC,
                    JOIN,
                    EXCLUSIVE_JOIN,
                    DO_WHILE,
                    WAIT,
                    HUMAN,
                    SUB_WORKFLOW,
                    EVENT -> Optional.empty();
        };
    }

    /** How a task says that it is of this kind. */
    JsonValue word() {
        return JsonValue.ofString(name().toLowerCase(Locale.ROOT));
    }
}
