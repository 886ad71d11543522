package dev.millrace.scheduler.flow.core.definition;

import dev.millrace.scheduler.expression.Template;
import java.time.Duration;
import java.util.Optional;

/** The condition that ends a wait. */
public sealed interface WaitFor {
    /** A duration: seconds as a number, or a text such as {@code 5m}. */
    record Delay(Template duration) implements WaitFor {}

    /** A moment: a text as in RFC 3339, or milliseconds since 1970 as a number. */
    record Until(Template moment) implements WaitFor {}

    /**
     * Signals or people. Results in {@code {"payload": …, "payloads": […], "approvers": […]}}.
     *
     * @param kind the kind of the expected events
     * @param name evaluates to the name of the signal, a text; unique in the run if the signal must be told from others
     * @param required evaluates to the required number of events
     * @param details for people: {@code {"title", "description", "form" (a JSON Schema), "assignees": […]}}; null for
     *     none
     * @param timeLimit maximum wait; absent if the wait lasts as long as the run
     * @param onTimeout how the step ends if the time limit expires
     * @param onDenial how the step ends if the wait is denied
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
