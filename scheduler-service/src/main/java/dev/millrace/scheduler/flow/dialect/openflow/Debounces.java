package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.FlowOptions.Debounce;
import dev.millrace.scheduler.flow.dialect.Fields;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads {@code debounce_delay_s} with its key: without one, submissions with equal inputs are merged. */
final class Debounces {
    private static final int SECONDS_MAX = 86_400;

    private final Fields value;

    Debounces(Fields value) {
        this.value = value;
    }

    Optional<Debounce> read() {
        value.refuse(
                List.of("debounce_args_to_accumulate"),
                "gathers the inputs of merged submissions, which is not supported: the last one's counts.",
                "Remove it.");
        value.refuse(
                List.of("max_total_debounces_amount"),
                "limits how many submissions are merged, which is not supported.",
                "Remove it, and limit the time with max_total_debouncing_time.");
        Template key = value.text("debounce_key")
                .filter(text -> !text.isEmpty())
                .map(KeyTexts::read)
                .orElse(new Template.Whole(new Path(new Root.Inputs())));
        Optional<Duration> longest =
                value.whole("max_total_debouncing_time", 1, SECONDS_MAX).map(Duration::ofSeconds);
        return value.whole("debounce_delay_s", 1, SECONDS_MAX)
                .map(delay -> new Debounce(Duration.ofSeconds(delay), key, longest));
    }
}
