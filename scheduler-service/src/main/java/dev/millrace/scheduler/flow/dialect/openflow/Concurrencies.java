package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowOptions.Concurrency;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobLimit.Rate;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reader of a flow's concurrency limit: {@code concurrent_limit}, {@code concurrency_time_window_s} and
 * {@code concurrency_key}. With a time window, it also limits how many runs begin within that window.
 */
final class Concurrencies {
    private static final String KEY_DEFAULT = "";
    private static final String WINDOW = "concurrency_time_window_s";

    private Concurrencies() {}

    static Optional<Concurrency> read(Fields flow) {
        Template key = KeyTexts.read(flow.text("concurrency_key").orElse(KEY_DEFAULT));
        Optional<Duration> window = window(flow);
        return max(flow, window)
                .map(count -> new Concurrency(OptionalInt.of(count), window.map(per -> new Rate(count, per)), key));
    }

    /** The time window of the rate limit; empty if only concurrency is limited. */
    static Optional<Duration> window(Fields fields) {
        return fields.whole(WINDOW, 0, (int) Rate.PER_LIMIT.toSeconds())
                .filter(seconds -> seconds > 0)
                .map(Duration::ofSeconds);
    }

    /** The maximum count; empty if it is 0, as editors write it. */
    static Optional<Integer> max(Fields fields, Optional<Duration> window) {
        return fields.whole("concurrent_limit", 0, window.isPresent() ? Rate.COUNT_LIMIT : JobLimit.MAX_LIMIT)
                .filter(count -> count > 0);
    }
}
