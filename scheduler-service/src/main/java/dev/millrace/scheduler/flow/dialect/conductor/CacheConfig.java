package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.TaskOptions.Cache;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reader of {@code cacheConfig}: how long the output of a task is cached, and under which key. {@code ${name}} in the
 * key stands for a parameter.
 */
final class CacheConfig {
    static final String KEY = "cacheConfig";

    private static final List<String> KEYS = List.of("key", "ttlInSecond");
    private static final Pattern PARAMETER = Pattern.compile("\\$\\{([^}]*)}");

    private final Reading reading;
    private final Params params;

    CacheConfig(Reading reading, Params params) {
        this.reading = reading;
        this.params = params;
    }

    Optional<Cache> read(TaskNode task) {
        Optional<SourceNode> node = task.fields().find(KEY).filter(found -> !Reading.isEmpty(found));
        if (node.isEmpty()) {
            return Optional.empty();
        }
        Fields fields = reading.fields(node.get(), task.fields().path(KEY), KEY, KEYS);
        if (fields.isObject() && !fields.has("ttlInSecond")) {
            reading.problem(
                    fields.mark(),
                    fields.path(),
                    "cacheConfig does not say for how long an output is kept.",
                    "Add ttlInSecond, for example \"ttlInSecond\": 3600.");
        }
        Optional<Template> key = fields.text("key").map(text -> key(fields, text));
        return fields.whole("ttlInSecond", 1, (int) FlowLimits.CACHE_TTL_MAX.toSeconds())
                .map(seconds -> new Cache(Duration.ofSeconds(seconds), key));
    }

    private Template key(Fields fields, String text) {
        List<Template.Part> parts = new ArrayList<>();
        Matcher parameter = PARAMETER.matcher(text);
        int written = 0;
        while (parameter.find()) {
            parts.add(new Template.Part.Literal(text.substring(written, parameter.start())));
            parts.add(new Template.Part.Embedded(Params.expression(value(fields, parameter.group(1)))));
            written = parameter.end();
        }
        parts.add(new Template.Part.Literal(text.substring(written)));
        parts.removeIf(part ->
                part instanceof Template.Part.Literal literal && literal.text().isEmpty());
        return parts.stream().allMatch(Template.Part.Literal.class::isInstance)
                ? new Template.Constant(JsonValue.ofString(text))
                : new Template.Text(parts);
    }

    private Template value(Fields fields, String name) {
        Optional<Template> value = params.find(name);
        if (value.isEmpty()) {
            reading.problem(
                    fields,
                    "key",
                    "There is no parameter \"" + name + "\".",
                    "Name one of inputParameters: " + String.join(", ", params.names()) + ".");
        }
        return value.orElse(Template.Constant.NULL);
    }
}
