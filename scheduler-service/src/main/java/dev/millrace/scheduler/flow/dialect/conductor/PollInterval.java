package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/** Computes the number of seconds that a poll waits before its next request. */
record PollInterval(Expression given, Strategy strategy) implements Computed {
    /** Maximum wait of any step, in seconds. */
    private static final long SECONDS_MAX = 30 * 24 * 3_600L;

    /** How waits grow with the number of requests. */
    enum Strategy {
        FIXED,
        LINEAR_BACKOFF,
        EXPONENTIAL_BACKOFF;

        private double factor(int requests) {
            return switch (this) {
                case FIXED -> 1;
                case LINEAR_BACKOFF -> requests;
                case EXPONENTIAL_BACKOFF -> Math.pow(2, requests);
            };
        }
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        double seconds =
                seconds(given.evaluate(scope)) * strategy.factor(scope.retry().orElse(1));
        return JsonValue.of(Math.round(Math.min(seconds, SECONDS_MAX)));
    }

    /** Reads a number that is not negative, given as a number or as a text. */
    private static double seconds(JsonValue value) {
        try {
            double seconds = switch (value.kind()) {
                case NUMBER -> Double.parseDouble(value.toString());
                case STRING -> Double.parseDouble(value.string().strip());
                case OBJECT, ARRAY, BOOLEAN, NULL -> Double.NaN;
            };
            if (seconds >= 0) {
                return seconds;
            }
        } catch (NumberFormatException wrong) {
            // The value is reported below.
        }
        throw new EvaluationFailed("pollingInterval is " + value.text() + " (expected: a number of seconds).");
    }

    @Override
    public boolean isPlain() {
        return given.isPlain();
    }

    @Override
    public Reads reads() {
        return given.reads();
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".poll_interval")
                .expression(given)
                .word(strategy)
                .write();
    }
}
