package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.queue.core.JobOptions;
import java.time.Duration;
import java.util.Optional;

/** Reader of {@code timeout}: seconds as a number or as a transform. */
final class Timeouts {
    private static final String KEY = "timeout";

    private final Reading reading;
    private final Fields module;
    private final Optional<Template> timeout;

    Timeouts(Reading reading, Expressions expressions, Fields module) {
        this.reading = reading;
        this.module = module;
        this.timeout = new Transforms(reading, expressions).findNumber(module, KEY, expressions.before());
    }

    /** The timeout of a module that runs no script, which cannot be computed. */
    Optional<Duration> constant() {
        if (computed().isPresent()) {
            problem(
                    "The timeout of a module that runs no script cannot be computed here.",
                    "Write the seconds as a number, for example 30.");
        }
        return ofTask();
    }

    /** The timeout of a module that runs a script, if it is equal for all jobs. */
    Optional<Duration> ofTask() {
        return timeout.flatMap(Actions::constant)
                .filter(value -> !isUnset(value))
                .flatMap(value -> {
                    Optional<Duration> seconds = seconds(value);
                    if (seconds.isEmpty()) {
                        problem(
                                "The timeout is " + value + " (expected: seconds from 0.001 to "
                                        + JobOptions.TIMEOUT_LIMIT.toSeconds() + ").",
                                "Write the seconds as a number, for example 30.");
                    }
                    return seconds;
                });
    }

    /** The timeout in seconds, if it is computed for each job. */
    Optional<Template> computed() {
        return timeout.filter(template -> Actions.constant(template).isEmpty());
    }

    private void problem(String message, String remedy) {
        reading.problem(module.find(KEY).orElseThrow().mark(), module.path(KEY), message, remedy);
    }

    /** Whether the timeout is 0, as editors write it where there is none. */
    private static boolean isUnset(JsonValue value) {
        return value.kind() == JsonValue.Kind.NUMBER && Double.parseDouble(value.toString()) == 0;
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
