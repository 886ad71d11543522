package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.queue.core.RetryPhase;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reader of {@code retry}: the constant attempts come first, then the exponential ones. */
final class Retries {
    private static final List<String> KEYS = List.of("constant", "exponential", "retry_if");
    private static final List<String> CONSTANT_KEYS = List.of("attempts", "seconds");
    private static final List<String> EXPONENTIAL_KEYS = List.of("attempts", "multiplier", "seconds", "random_factor");
    /** Longest delay between two attempts. */
    private static final Duration DELAY_MAX = Duration.ofHours(6);
    /** Most seconds that Windmill can store. */
    private static final int SECONDS_MAX = 65_535;

    /** Key in a module or, in some definitions written by hand, in its value. */
    static final String KEY = "retry";

    private final Reading reading;
    private final Optional<Fields> retry;

    Retries(Reading reading, Fields module) {
        this.reading = reading;
        this.retry = module.find(KEY)
                .map(node -> reading.fields(node, module.path(KEY), "a retry policy", KEYS))
                .or(() -> inValue(module));
    }

    private Optional<Fields> inValue(Fields module) {
        return module.find("value")
                .flatMap(value -> Nulls.without(value).member(KEY))
                .map(node -> reading.fields(node, module.path("value") + "." + KEY, "a retry policy", KEYS));
    }

    RetryPolicy read() {
        List<RetryPhase> phases = new ArrayList<>();
        Optional<Fields> constant = part("constant", CONSTANT_KEYS);
        Optional<Fields> exponential = part("exponential", EXPONENTIAL_KEYS);
        int random = exponential
                .flatMap(fields -> fields.whole("random_factor", 0, 100))
                .orElse(0);
        constant.ifPresent(fields -> attempts(fields)
                .ifPresent(attempts -> phases.add(
                        RetryPhase.constant(attempts, seconds(fields, 0)).steady(random > 0))));
        exponential.ifPresent(fields -> attempts(fields)
                .ifPresent(attempts -> phases.add(RetryPhase.power(
                        attempts,
                        seconds(fields, 1),
                        fields.whole("multiplier", 1, RetryPolicy.FACTOR_LIMIT).orElse(1)))));
        int attempts = phases.stream().mapToInt(RetryPhase::retries).sum();
        if (attempts > RetryPolicy.RETRIES_LIMIT) {
            reading.problem(
                    retry.orElseThrow().mark(),
                    retry.orElseThrow().path(),
                    "The policy has " + attempts + " attempts, more than the limit of " + RetryPolicy.RETRIES_LIMIT
                            + ".",
                    "Ask for fewer.");
            return RetryPolicy.NONE;
        }
        return phases.isEmpty() ? RetryPolicy.NONE : new RetryPolicy(phases, DELAY_MAX, random / 100.0);
    }

    private Optional<Fields> part(String key, List<String> keys) {
        return retry.flatMap(fields -> fields.find(key)
                .map(node -> reading.fields(node, fields.path(key), "the " + key + " part of a retry policy", keys)));
    }

    private static Optional<Integer> attempts(Fields fields) {
        return fields.whole("attempts", 0, RetryPolicy.RETRIES_LIMIT).filter(attempts -> attempts > 0);
    }

    /** The seconds of a part, of which no more than the longest delay counts. */
    private static Duration seconds(Fields fields, int min) {
        int seconds = fields.whole("seconds", min, SECONDS_MAX).orElse(min);
        return Duration.ofSeconds(Math.min(seconds, DELAY_MAX.toSeconds()));
    }

    /** Condition on which a failed attempt is retried. */
    Optional<Template> condition(Expressions expressions) {
        return retry.flatMap(fields ->
                expressions.condition(fields, "retry_if", expressions.sight().afterFailure()));
    }
}
