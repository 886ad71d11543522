package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.queue.core.JobOptions;
import java.time.Duration;
import java.util.Optional;

/** Reads {@code timeout}: seconds as a number or as a static transform. */
final class Timeouts {
    private final Reading reading;
    private final Expressions expressions;

    Timeouts(Reading reading, Expressions expressions) {
        this.reading = reading;
        this.expressions = expressions;
    }

    Optional<Duration> find(Fields module) {
        Optional<Template> timeout =
                new Transforms(reading, expressions).findNumber(module, "timeout", expressions.before());
        return timeout.flatMap(template -> {
            Optional<Duration> seconds = Actions.constant(template).flatMap(Timeouts::seconds);
            if (seconds.isEmpty()) {
                reading.problem(
                        module.find("timeout").orElseThrow().mark(),
                        module.path("timeout"),
                        Actions.constant(template).isPresent()
                                ? "The timeout is " + Actions.constant(template).get()
                                        + " (expected: seconds from 0.001 to " + JobOptions.TIMEOUT_LIMIT.toSeconds()
                                        + ")."
                                : "A timeout cannot be computed here.",
                        "Write the seconds as a number, for example 30.");
            }
            return seconds;
        });
    }

    private static Optional<Duration> seconds(JsonValue value) {
        if (value.kind() != JsonValue.Kind.NUMBER) {
            return Optional.empty();
        }
        double millis = Double.parseDouble(value.toString()) * 1_000;
        return millis >= 1 && millis <= JobOptions.TIMEOUT_LIMIT.toMillis()
                ? Optional.of(Duration.ofMillis(Math.round(millis)))
                : Optional.empty();
    }
}
