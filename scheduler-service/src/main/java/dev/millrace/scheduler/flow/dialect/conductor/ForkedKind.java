package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.List;
import java.util.Locale;

/** What the tasks of a dynamic fork become. */
enum ForkedKind {
    /** A job on a worker. */
    JOB,
    /** A value that is worked out without a worker. */
    VALUE,
    /** A change of variables. */
    VARIABLES,
    /** The start of a run. */
    START,
    /** A run of its own, for whose end the task waits. */
    CHILD,
    /** A wait for some time. */
    DELAY,
    /** A wait until a moment. */
    MOMENT,
    /** A wait for a signal. */
    SIGNAL,
    /** A wait for what a person hands in. */
    HUMAN;

    static final List<ForkedKind> ALL = List.of(values());

    /** What tasks of a type may become; where that is more than one, each says it by its input. None where they cannot be forked dynamically. */
    static List<ForkedKind> of(TaskType type) {
        return switch (type) {
            case SIMPLE, USER_DEFINED, DYNAMIC, HTTP, KAFKA_PUBLISH -> List.of(JOB);
            case INLINE, LAMBDA, JSON_JQ_TRANSFORM, NOOP -> List.of(VALUE);
            case SET_VARIABLE -> List.of(VARIABLES);
            case START_WORKFLOW -> List.of(START);
            case SUB_WORKFLOW -> List.of(CHILD);
            case WAIT -> List.of(DELAY, MOMENT, SIGNAL);
            case HUMAN -> List.of(HUMAN);
            case TERMINATE, SWITCH, DECISION, FORK_JOIN, FORK_JOIN_DYNAMIC, JOIN, EXCLUSIVE_JOIN, DO_WHILE, EVENT ->
                List.of();
        };
    }

    /** How a task says that it is of this kind. */
    JsonValue word() {
        return JsonValue.ofString(name().toLowerCase(Locale.ROOT));
    }
}
