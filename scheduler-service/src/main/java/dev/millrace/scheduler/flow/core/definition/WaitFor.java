package dev.millrace.scheduler.flow.core.definition;

import dev.millrace.scheduler.expression.Template;
import java.time.Duration;
import java.util.Optional;

/** What ends a wait. */
public sealed interface WaitFor {
    /** A time: seconds as a number, or a duration such as {@code 5m}. */
    record Delay(Template duration) implements WaitFor {}

    /** A moment: RFC 3339, or milliseconds since 1970 as a number. */
    record Until(Template moment) implements WaitFor {}

    /**
     * Signals or people. Results in {@code {"payload": …, "payloads": […], "approvers": […]}}.
     *
     * @param kind who is expected
     * @param name of the signal, unique in the run where it is to be told from others; a text
     * @param required how many must come
     * @param details for people: {@code {"title", "description", "form" (a JSON Schema), "assignees": […]}}; null for none
     * @param timeLimit longest wait; absent for as long as the run lives
     * @param onTimeout what its end means
     * @param onDenial what a denial means
     */
    record Events(
            EventKind kind,
            Template name,
            int required,
            Template details,
            Optional<Duration> timeLimit,
            WaitEnd onTimeout,
            WaitEnd onDenial)
            implements WaitFor {}
}
