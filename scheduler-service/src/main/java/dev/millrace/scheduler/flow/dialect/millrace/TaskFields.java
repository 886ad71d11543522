package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.ScriptUse;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Sight;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reader of the task that a step runs on a worker, and of its options. */
final class TaskFields {
    /** Keys that name the code; a task has exactly one of them. */
    static final List<String> TARGETS = List.of("script", "handler", "target");
    /** Key that deletes the input and result of the task after use. */
    static final String DELETE = "delete_after_use";
    /** Key with settings of a single job that replace the timeout, retry and limit of the task. */
    static final String OVERRIDES = "overrides";
    /** Keys that only tasks have. */
    static final List<String> OWN_KEYS =
            List.of("priority", "tag", CacheFields.KEY, DELETE, LimitFields.KEY, OVERRIDES);

    private final StepParts parts;
    private final Sight[] sights;

    /**
     * Creates a reader.
     *
     * @param sights names that the expressions of the task can read because of its position
     */
    TaskFields(StepParts parts, Sight... sights) {
        this.parts = parts;
        this.sights = sights;
    }

    static boolean isTask(Fields fields) {
        return TARGETS.stream().anyMatch(fields::has);
    }

    StepAction.Task read(Fields fields) {
        Template input = parts.object(
                        fields, "input", "Write one key for each parameter of main.", withReferences(sights))
                .orElse(Template.Constant.EMPTY_OBJECT);
        TaskTarget target = target(fields);
        if (target instanceof TaskTarget.ScriptPath(String path)) {
            parts.reading().useScript(new ScriptUse(path, input, fields.path("input")));
        }
        return new StepAction.Task(target, input, options(fields));
    }

    /** The names that an input can read: references, too, because it goes to a worker. */
    static Sight[] withReferences(Sight... sights) {
        return Stream.concat(Stream.of(sights), Stream.of(Sight.REFERENCES)).toArray(Sight[]::new);
    }

    private TaskTarget target(Fields fields) {
        List<String> given = TARGETS.stream().filter(fields::has).toList();
        if (given.size() > 1) {
            fields.refuse(
                    given.subList(1, given.size()),
                    "cannot be combined with \"" + given.getFirst() + "\".",
                    "Keep one of the two.");
        }
        return switch (given.getFirst()) {
            case "script" -> {
                String path = filled(fields, "script", "script.py");
                parts.reading().useScript(path);
                yield new TaskTarget.ScriptPath(path);
            }
            case "handler" -> new TaskTarget.HandlerName(filled(fields, "handler", "resize"));
            default ->
                new TaskTarget.Computed(parts.template(fields, "target", sights).orElse(Template.Constant.NULL));
        };
    }

    private String filled(Fields fields, String key, String example) {
        Optional<String> text = fields.text(key);
        if (text.isPresent() && text.get().isBlank()) {
            parts.reading()
                    .problem(
                            fields.find(key).orElseThrow().mark(),
                            fields.path(key),
                            key + " is empty.",
                            "Name it, for example " + example + ".");
        }
        return text.orElse("");
    }

    TaskOptions options(Fields fields) {
        return new TaskOptions(
                tag(fields),
                fields.whole("priority", JobOptions.PRIORITY_MIN, JobOptions.PRIORITY_MAX)
                        .orElse(0),
                fields.duration("timeout", Duration.ofMillis(1), JobOptions.TIMEOUT_LIMIT),
                fields.find("retry")
                        .map(node -> RetryFields.read(parts.reading(), node, fields.path("retry")))
                        .orElse(RetryPolicy.NONE),
                CacheFields.read(parts, fields),
                fields.bool(DELETE).orElse(false),
                LimitFields.read(parts, fields),
                overrides(fields));
    }

    /**
     * Reads the overrides. Either the queue decides about retries of a job, and knows its overrides, or the flow
     * machine does; both together are reported.
     */
    private Optional<Template> overrides(Fields fields) {
        List<String> machine = Stream.concat(Stream.of("retry_if"), Hooks.KEYS.stream())
                .filter(fields::has)
                .toList();
        if (!machine.isEmpty()) {
            fields.refuse(
                    List.of(OVERRIDES),
                    "cannot be combined with \"" + machine.getFirst() + "\".",
                    "Remove one of the two.");
            return Optional.empty();
        }
        return parts.object(
                fields, OVERRIDES, "Write an object with timeout, retry or limit, or an expression.", sights);
    }

    private Optional<Template> tag(Fields fields) {
        if (fields.text("tag").isEmpty()) {
            return Optional.empty();
        }
        Optional<Template> tag = parts.template(fields, "tag", sights);
        if (tag.isPresent() && tag.get() instanceof Template.Constant(JsonValue constant)) {
            int length = constant.string().strip().length();
            if (length == 0 || length > JobOptions.TAG_LENGTH_MAX) {
                parts.reading()
                        .problem(
                                fields.find("tag").orElseThrow().mark(),
                                fields.path("tag"),
                                "tag has " + length + " characters (expected: 1 to " + JobOptions.TAG_LENGTH_MAX + ").",
                                "Write a short word such as gpu.");
            }
            if (!JobOptions.isCallers(constant.string().strip())) {
                parts.reading()
                        .problem(
                                fields.find("tag").orElseThrow().mark(),
                                fields.path("tag"),
                                "tag begins with a character with which only tags of the scheduler begin.",
                                "Write a short word such as gpu.");
            }
        }
        return tag;
    }
}
