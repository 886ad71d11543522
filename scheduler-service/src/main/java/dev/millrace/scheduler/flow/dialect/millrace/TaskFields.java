package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.StepAction;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Value;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads what a step runs on a worker, and how. */
final class TaskFields {
    static final List<String> KEYS = List.of("script", "handler", "input", "retry", "timeout", "priority", "tag");

    private final Reading reading;

    TaskFields(Reading reading) {
        this.reading = reading;
    }

    StepAction.Task read(Fields fields, Value input) {
        return new StepAction.Task(
                target(fields), input.template().orElse(Template.Constant.EMPTY_OBJECT), options(fields));
    }

    Value input(Fields fields) {
        Value input = Values.read(reading, fields, "input");
        fields.find("input")
                .filter(node -> node instanceof SourceNode.Sequence || node instanceof SourceNode.Literal)
                .ifPresent(node -> reading.problem(
                        node.mark(),
                        fields.path("input"),
                        "input is " + node.phrase() + " (expected: an object).",
                        "Write one key for each parameter of main."));
        return input;
    }

    private StepAction.TaskTarget target(Fields fields) {
        if (fields.has("script")) {
            fields.refuse(List.of("handler"), "cannot stand beside \"script\".", "Keep one of the two.");
            String path = filled(fields, "script", "script.py");
            reading.useScript(path);
            return new StepAction.TaskTarget.ScriptPath(path);
        }
        return new StepAction.TaskTarget.HandlerName(filled(fields, "handler", "resize"));
    }

    private String filled(Fields fields, String key, String example) {
        Optional<String> text = fields.text(key);
        if (text.isPresent() && text.get().isBlank()) {
            reading.problem(
                    fields.find(key).orElseThrow().mark(),
                    fields.path(key),
                    key + " is empty.",
                    "Name it, for example " + example + ".");
        }
        return text.orElse("");
    }

    private StepAction.TaskOptions options(Fields fields) {
        return new StepAction.TaskOptions(
                tag(fields),
                fields.whole("priority", JobOptions.PRIORITY_MIN, JobOptions.PRIORITY_MAX)
                        .orElse(0),
                fields.duration("timeout", Duration.ofMillis(1), JobOptions.TIMEOUT_LIMIT),
                fields.find("retry")
                        .map(node -> RetryFields.read(reading, node, fields.path("retry")))
                        .orElse(RetryPolicy.NONE));
    }

    private Optional<Template> tag(Fields fields) {
        return fields.text("tag")
                .filter(tag -> {
                    boolean fits = !tag.isBlank() && tag.length() <= JobOptions.TAG_LENGTH_MAX;
                    if (!fits) {
                        reading.problem(
                                fields.find("tag").orElseThrow().mark(),
                                fields.path("tag"),
                                "tag has " + tag.length() + " characters (expected: 1 to " + JobOptions.TAG_LENGTH_MAX
                                        + ").",
                                "Write a short word such as gpu.");
                    }
                    return fits;
                })
                .map(tag -> new Template.Constant(JsonValue.ofString(tag)));
    }
}
