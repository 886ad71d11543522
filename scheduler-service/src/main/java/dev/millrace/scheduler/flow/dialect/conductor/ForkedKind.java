package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.List;
import java.util.Locale;

/** Kinds of steps that the tasks of a dynamic fork become. */
enum ForkedKind {
    JOB,
    /** A value computed without a worker. */
    VALUE,
    /** A change of variables. */
    VARIABLES,
    /** The start of an independent run. */
    START,
    /** A child run whose end the task waits for. */
    CHILD,
    /** A wait for a duration. */
    DELAY,
    /** A wait until a point in time. */
    MOMENT,
    /** A wait for a signal. */
    SIGNAL,
    /** A wait for input from a person. */
    HUMAN;

    static final List<ForkedKind> ALL = List.of(values());

    /**
     * Kinds that a type of task may become; empty if the type cannot be forked dynamically. If there are several, the
     * input of each task selects one.
     */
    static List<ForkedKind> of(TaskType type) {
        return switch (type) {
            case SIMPLE, USER_DEFINED, DYNAMIC, HTTP, KAFKA_PUBLISH -> List.of(JOB);
            case INLINE, LAMBDA, JSON_JQ_TRANSFORM, NOOP -> List.of(VALUE);
            case SET_VARIABLE -> List.of(VARIABLES);
            case START_WORKFLOW -> List.of(START);
            case SUB_WORKFLOW -> List.of(CHILD);
            case WAIT -> List.of(DELAY, MOMENT, SIGNAL);
            case HUMAN -> List.of(HUMAN);
            case HTTP_POLL,
                    TERMINATE,
                    SWITCH,
                    DECISION,
                    FORK_JOIN,
                    FORK_JOIN_DYNAMIC,
                    JOIN,
                    EXCLUSIVE_JOIN,
                    DO_WHILE,
                    EVENT -> List.of();
        };
    }

    /** The value of {@link ForkedTask#KIND} for this kind. */
    JsonValue word() {
        return JsonValue.ofString(name().toLowerCase(Locale.ROOT));
    }
}
