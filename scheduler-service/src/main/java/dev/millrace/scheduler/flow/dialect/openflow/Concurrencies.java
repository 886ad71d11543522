package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.FlowOptions.Concurrency;
import dev.millrace.scheduler.flow.dialect.Fields;
import java.util.Optional;

/** Reads {@code concurrent_limit} with its {@code concurrency_key}. */
final class Concurrencies {
    private static final int LIMIT_MAX = 1_000_000;
    private static final String KEY_DEFAULT = "";

    private final Reading reading;
    private final Fields value;

    Concurrencies(Reading reading, Fields value) {
        this.reading = reading;
        this.value = value;
    }

    Optional<Concurrency> read() {
        Optional<Integer> window = value.whole("concurrency_time_window_s", 0, Integer.MAX_VALUE);
        if (window.filter(seconds -> seconds > 0).isPresent()) {
            reading.problem(
                    value.find("concurrency_time_window_s").orElseThrow().mark(),
                    value.path("concurrency_time_window_s"),
                    "Runs can be limited by how many go on at a time, not by how many begin in some time.",
                    "Remove it, or set it to 0.");
        }
        Template key = KeyTexts.read(value.text("concurrency_key").orElse(KEY_DEFAULT));
        return value.whole("concurrent_limit", 1, LIMIT_MAX).map(max -> new Concurrency(max, key));
    }
}
