package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.TaskOptions.Limit;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobLimit.Rate;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reader and writer of {@code limit}: the maximum number of a task's jobs that run at the same time or begin within a
 * time window.
 */
final class LimitFields {
    static final String KEY = "limit";
    private static final List<String> KEYS = List.of("max", "rate", "key");
    private static final List<String> RATE_KEYS = List.of("count", "per");

    private LimitFields() {}

    static Optional<Limit> read(StepParts parts, Fields owner) {
        if (!owner.has(KEY)) {
            return Optional.empty();
        }
        Fields fields = parts.object(owner, KEY, "a limit", KEYS);
        if (!fields.has("rate")) {
            parts.require(
                    fields,
                    "max",
                    "The limit has neither max nor rate.",
                    "Add max, the maximum number of concurrent jobs, or rate, for example rate: {count: 10, per: 1m}.");
        }
        Optional<Template> key = parts.template(fields, "key");
        Optional<Integer> max = fields.whole("max", 1, JobLimit.MAX_LIMIT);
        Optional<Rate> rate = rate(parts, fields, "jobs");
        return max.isEmpty() && rate.isEmpty()
                ? Optional.empty()
                : Optional.of(new Limit(key, max.map(OptionalInt::of).orElse(OptionalInt.empty()), rate));
    }

    /**
     * Reads a rate.
     *
     * @param what plural noun for what is limited, for messages
     */
    static Optional<Rate> rate(StepParts parts, Fields limit, String what) {
        if (!limit.has("rate")) {
            return Optional.empty();
        }
        Fields fields = parts.object(limit, "rate", "a rate", RATE_KEYS);
        parts.require(
                fields, "count", "The rate has no count.", "Add count, the number of " + what + " that may begin.");
        parts.require(fields, "per", "The rate has no per.", "Add per, the time window, for example per: 1m.");
        Optional<Integer> count = fields.whole("count", 1, Rate.COUNT_LIMIT);
        return fields.duration("per", Duration.ofMillis(1), Rate.PER_LIMIT)
                .flatMap(per -> count.map(most -> new Rate(most, per)));
    }

    static void write(Limit limit, ValuePrinter values, Map<String, Object> owner) {
        Map<String, Object> written = new LinkedHashMap<>();
        limit.key().ifPresent(key -> written.put("key", values.value(key)));
        limit.max().ifPresent(max -> written.put("max", max));
        limit.rate().ifPresent(rate -> written.put("rate", rate(rate)));
        owner.put(KEY, written);
    }

    static Map<String, Object> rate(Rate rate) {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("count", rate.count());
        written.put("per", Durations.text(rate.per()));
        return written;
    }
}
