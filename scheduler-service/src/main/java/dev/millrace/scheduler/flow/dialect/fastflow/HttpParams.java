package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Conversion of the parameters of the action {@code http} into the input of the HTTP handler. */
final class HttpParams {
    static final String HANDLER = "millrace.http";

    private static final List<String> KEYS =
            List.of("method", "url", "path", "query", "body", "rawBody", "header", "timeoutSec");
    /** Fastflow's default timeout of a request, in seconds. */
    private static final int TIMEOUT_SECONDS_DEFAULT = 600;

    private final Reading reading;

    HttpParams(Reading reading) {
        this.reading = reading;
    }

    Template read(Fields task) {
        Optional<SourceNode> node = task.find("params");
        if (node.isEmpty()) {
            reading.problem(
                    task.mark(), task.path("params"), "The request has no params.", "Add params with a url at least.");
            return Template.Constant.EMPTY_OBJECT;
        }
        Fields fields = Fields.of(reading.problems(), node.get(), task.path("params"), "the params of http", KEYS);
        if (fields.isObject() && !fields.has("url")) {
            reading.problem(
                    fields.mark(), fields.path("url"), "The request has no url.", "Add url, an absolute http URL.");
        }
        if (fields.has("body")) {
            fields.refuse(List.of("rawBody"), "cannot be combined with \"body\".", "Keep one of the two.");
        }
        Map<String, Template> input = new LinkedHashMap<>();
        input.put("url", url(fields));
        copy(fields, "method", input, "method");
        copy(fields, "query", input, "query");
        copy(fields, "body", input, "body");
        copy(fields, "rawBody", input, "body");
        headers(fields).ifPresent(headers -> input.put("headers", headers));
        input.put(
                "timeout",
                value(fields, "timeoutSec").orElse(new Template.Constant(JsonValue.of(TIMEOUT_SECONDS_DEFAULT))));
        return Template.object(input);
    }

    private void copy(Fields fields, String key, Map<String, Template> input, String name) {
        value(fields, key).ifPresent(value -> input.put(name, value));
    }

    private Optional<Template> value(Fields fields, String key) {
        return fields.find(key).map(node -> new Params(reading).read(node, fields.path(key)));
    }

    /** Joins the URL and the path with exactly one slash. */
    private Template url(Fields fields) {
        String url = fields.text("url").orElse("");
        String path = fields.text("path").orElse("");
        String slash = path.isEmpty() || url.endsWith("/") || path.startsWith("/") ? "" : "/";
        SourceNode.Mark mark = fields.find("url").map(SourceNode::mark).orElse(fields.mark());
        return new Params(reading).read(new SourceNode.Text(mark, url + slash + path), fields.path("url"));
    }

    /** Reads headers. The values of one header form a list, which is joined with commas. */
    private Optional<Template> headers(Fields fields) {
        return fields.find("header").map(node -> {
            Fields headers =
                    Fields.of(reading.problems(), node, fields.path("header"), "the header of a request", List.of());
            Map<String, Template> joined = new LinkedHashMap<>();
            for (SourceNode.Entry entry : headers.entries()) {
                String text = entry.value() instanceof SourceNode.Sequence
                        ? String.join(", ", Texts.list(reading, headers, entry.key(), "the values of the header"))
                        : headers.text(entry.key()).orElse("");
                joined.put(
                        entry.key(),
                        new Params(reading)
                                .read(new SourceNode.Text(entry.value().mark(), text), headers.path(entry.key())));
            }
            return Template.object(joined);
        });
    }
}
