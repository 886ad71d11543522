package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.javascript.MillraceLanguage;
import dev.millrace.scheduler.flow.core.definition.FlowOptions.Debounce;
import dev.millrace.scheduler.flow.dialect.Fields;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Reader of {@code debounce_delay_s} and {@code debounce_key}. Without a key, submissions with equal inputs are merged.
 */
final class Debounces {
    private static final int SECONDS_MAX = 86_400;

    private final Fields value;

    Debounces(Fields value) {
        this.value = value;
    }

    Optional<Debounce> read() {
        value.refuse(
                List.of("max_total_debounces_amount"),
                "limits how many submissions are merged, which is not supported.",
                "Remove it, and limit the time with max_total_debouncing_time.");
        List<String> accumulate = value.texts("debounce_args_to_accumulate");
        if (!accumulate.isEmpty() && !value.has("debounce_delay_s")) {
            value.refuse(
                    List.of("debounce_args_to_accumulate"), "needs \"debounce_delay_s\".", "Add it, or remove this.");
        }
        Template key = value.text("debounce_key")
                .filter(text -> !text.isEmpty())
                .map(KeyTexts::read)
                .orElseGet(() -> new Template.Whole(inputsWithout(accumulate)));
        Optional<Duration> longest =
                value.whole("max_total_debouncing_time", 1, SECONDS_MAX).map(Duration::ofSeconds);
        return value.whole("debounce_delay_s", 1, SECONDS_MAX)
                .map(delay -> new Debounce(Duration.ofSeconds(delay), key, longest, accumulate));
    }

    /** The default key: all inputs except the accumulated ones. */
    private static Expression inputsWithout(List<String> names) {
        if (names.isEmpty()) {
            return new Path(new Root.Inputs());
        }
        StringBuilder rest = new StringBuilder("(({");
        for (int i = 0; i < names.size(); i++) {
            rest.append(JsonStrings.quote(names.get(i))).append(": _").append(i).append(", ");
        }
        return switch (MillraceLanguage.INSTANCE.read(rest + "...rest}) => rest)(inputs)")) {
            case ExpressionReading.Read read -> read.expression();
            case ExpressionReading.Unreadable unreadable -> throw new IllegalStateException(unreadable.message());
        };
    }
}
