package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.TaskOptions.Limit;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.queue.core.JobLimit.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reader of a script's concurrency limit: {@code concurrent_limit}, {@code concurrency_time_window_s} and
 * {@code custom_concurrency_key}. With a time window, it also limits how many jobs begin within that window.
 */
final class StepLimits {
    static final List<String> KEYS = List.of("concurrent_limit", "concurrency_time_window_s", "custom_concurrency_key");

    private final Fields script;
    private final ArgumentTexts texts;

    StepLimits(Fields script, ArgumentTexts texts) {
        this.script = script;
        this.texts = texts;
    }

    Optional<Limit> read() {
        Optional<Template> key = texts.find("custom_concurrency_key");
        Optional<Duration> window = Concurrencies.window(script);
        return Concurrencies.max(script, window)
                .map(count -> new Limit(key, OptionalInt.of(count), window.map(per -> new Rate(count, per))));
    }
}
