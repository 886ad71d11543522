package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Segment;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.FlowOptions.Concurrency;
import dev.millrace.scheduler.flow.dialect.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code concurrent_limit} with its {@code concurrency_key}, in which {@code $args[name]} stands for an input. */
final class Concurrencies {
    private static final int LIMIT_MAX = 1_000_000;
    private static final Pattern VARIABLE = Pattern.compile("\\$workspace|\\$args\\[([^\\]]+)]");
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
        Template key = key(value.text("concurrency_key").orElse(KEY_DEFAULT));
        return value.whole("concurrent_limit", 1, LIMIT_MAX).map(max -> new Concurrency(max, key));
    }

    private static Template key(String text) {
        List<Template.Part> parts = new ArrayList<>();
        Matcher variable = VARIABLE.matcher(text);
        int position = 0;
        while (variable.find()) {
            parts.add(new Template.Part.Literal(text.substring(position, variable.start())));
            Optional.ofNullable(variable.group(1))
                    .ifPresent(name -> parts.add(new Template.Part.Embedded(input(name))));
            position = variable.end();
        }
        if (parts.isEmpty()) {
            return new Template.Constant(JsonValue.ofString(text));
        }
        parts.add(new Template.Part.Literal(text.substring(position)));
        return new Template.Text(parts);
    }

    private static Expression input(String name) {
        List<Segment> segments = new ArrayList<>();
        for (String key : name.split("\\.", -1)) {
            segments.add(Segment.key(key, true));
        }
        return new Path(new Root.Inputs(), segments);
    }
}
