package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.conductor.TaskDefinition.RetryLogic;
import dev.millrace.scheduler.flow.dialect.conductor.TaskDefinition.TimeoutPolicy;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Definitions of tasks, from {@code taskDefs} of the workflow and from the {@code taskDefinition} of a task. */
final class TaskDefinitions {
    static final String SECTION = "taskDefs";

    /** Names of secrets that a worker gets with its task. */
    private static final String SECRETS = "runtimeMetadata";

    private static final List<String> KEYS = List.of(
            "name",
            "description",
            "retryCount",
            "retryLogic",
            "retryDelaySeconds",
            "backoffScaleFactor",
            "maxRetryDelaySeconds",
            "backoffJitterMs",
            "timeoutSeconds",
            "timeoutPolicy",
            "responseTimeoutSeconds",
            "totalTimeoutSeconds",
            "pollTimeoutSeconds",
            "inputTemplate",
            "inputKeys",
            "outputKeys",
            "concurrentExecLimit",
            "rateLimitPerFrequency",
            "rateLimitFrequencyInSeconds",
            "isolationGroupId",
            "executionNameSpace",
            "ownerEmail",
            "ownerApp",
            "createTime",
            "updateTime",
            "createdBy",
            "updatedBy",
            "accessPolicy",
            "inputSchema",
            "outputSchema",
            "enforceSchema",
            "baseType",
            SECRETS,
            "taskStatusListenerEnabled");
    /** Settings of when and where a task runs that have no equivalent here. */
    private static final List<String> WITHOUT_EFFECT =
            List.of("pollTimeoutSeconds", "isolationGroupId", "executionNameSpace");

    private static final int SCALE_MAX = RetryPolicy.FACTOR_LIMIT;
    private static final long MILLIS_PER_SECOND = 1_000;

    private final Reading reading;
    private final Map<String, TaskDefinition> byName = new HashMap<>();
    private final Map<TaskNode, Optional<TaskDefinition>> byTask = new HashMap<>();
    private JsonValue section = JsonValue.EMPTY_ARRAY;

    TaskDefinitions(Reading reading) {
        this.reading = reading;
    }

    /** Reads {@code taskDefs}. */
    void read(Fields workflow) {
        Optional<SourceNode> node = workflow.find(SECTION);
        if (node.isEmpty()) {
            return;
        }
        if (!(node.get() instanceof SourceNode.Sequence sequence)) {
            reading.problem(
                    node.get().mark(),
                    SECTION,
                    "taskDefs is " + node.get().phrase() + " (expected: an array of task definitions).",
                    "Write a list.");
            return;
        }
        section = sequence.constant();
        for (int i = 0; i < sequence.items().size(); i++) {
            Fields fields =
                    reading.fields(sequence.items().get(i), Paths.element(SECTION, i), "a task definition", KEYS);
            TaskDefinition definition = definition(fields, fields.text("name").orElse(""));
            fields.text("name").ifPresent(name -> byName.put(name, definition));
        }
    }

    /** The {@code taskDefs} as written; an empty array if absent. */
    JsonValue section() {
        return section;
    }

    /** The names in {@code taskDefs}. */
    Set<String> names() {
        return Set.copyOf(byName.keySet());
    }

    /** Finds the definition of a task: its own, or otherwise the one with its name. */
    Optional<TaskDefinition> find(TaskNode task) {
        return byTask.computeIfAbsent(task, _ -> inside(task)).or(() -> Optional.ofNullable(byName.get(task.name())));
    }

    /**
     * The definition that applies to a task of the workflow. As in Conductor, a {@code SIMPLE} task without one has the
     * defaults of a definition, three retries among them; a task of any other type has none of these.
     */
    Optional<TaskDefinition> applied(TaskNode task) {
        return find(task)
                .or(() -> task.type() == TaskType.SIMPLE ? Optional.of(TaskDefinition.DEFAULT) : Optional.empty());
    }

    Map<String, Template> inputTemplate(TaskNode task) {
        return find(task).map(TaskDefinition::inputTemplate).orElse(Map.of());
    }

    private Optional<TaskDefinition> inside(TaskNode task) {
        return task.fields()
                .find("taskDefinition")
                .filter(node -> !Reading.isEmpty(node))
                .map(node -> definition(
                        reading.fields(node, task.fields().path("taskDefinition"), "a task definition", KEYS),
                        task.name()));
    }

    /**
     * Reads a definition.
     *
     * @param name of the tasks that the definition is for, if it has no name itself
     */
    private TaskDefinition definition(Fields fields, String name) {
        fields.ignore(
                WITHOUT_EFFECT,
                "has no effect here.",
                "Remove it; the workers with its handler decide where and when a task runs.");
        fields.ignore(
                List.of(SECRETS),
                "has no effect: workers get no secrets by it.",
                "Refer to them in inputParameters, for example \"${workflow.secrets.shop.api_key}\".");
        return new TaskDefinition(
                reading.retryCount(fields).orElse(TaskDefinition.RETRIES_DEFAULT),
                word(fields, "retryLogic", RetryLogic.values()).orElse(RetryLogic.FIXED),
                seconds(fields, "retryDelaySeconds", RetryPolicy.DELAY_LIMIT).orElse(TaskDefinition.DELAY_DEFAULT),
                fields.whole("backoffScaleFactor", 1, SCALE_MAX).orElse(1),
                seconds(fields, "maxRetryDelaySeconds", RetryPolicy.DELAY_LIMIT).filter(delay -> !delay.isZero()),
                Duration.ofMillis(
                        fields.whole("backoffJitterMs", 0, Integer.MAX_VALUE).orElse(0)),
                seconds(fields, "timeoutSeconds", JobOptions.TIMEOUT_LIMIT).filter(timeout -> !timeout.isZero()),
                word(fields, "timeoutPolicy", TimeoutPolicy.values()).orElse(TimeoutPolicy.TIME_OUT_WF),
                seconds(fields, "responseTimeoutSeconds", JobOptions.TIMEOUT_LIMIT)
                        .filter(timeout -> !timeout.isZero())
                        .orElse(TaskDefinition.RESPONSE_TIMEOUT_DEFAULT),
                seconds(fields, "totalTimeoutSeconds", JobOptions.TIMEOUT_LIMIT).filter(timeout -> !timeout.isZero()),
                constants(fields),
                TaskLimits.read(
                        fields,
                        fields.text("name").filter(text -> !text.isEmpty()).orElse(name)));
    }

    private Map<String, Template> constants(Fields fields) {
        Map<String, Template> constants = new LinkedHashMap<>();
        fields.find("inputTemplate").ifPresent(node -> {
            Fields members =
                    Fields.of(reading.problems(), node, fields.path("inputTemplate"), "inputTemplate", List.of());
            for (SourceNode.Entry entry : members.entries()) {
                constants.put(entry.key(), new Template.Constant(entry.value().constant()));
            }
        });
        return constants;
    }

    private static Optional<Duration> seconds(Fields fields, String key, Duration max) {
        return fields.whole(key, 0, (int) (max.toMillis() / MILLIS_PER_SECOND)).map(Duration::ofSeconds);
    }

    private <E extends Enum<E>> Optional<E> word(Fields fields, String key, E[] words) {
        Optional<String> text = fields.text(key);
        Optional<E> found = text.flatMap(word ->
                Arrays.stream(words).filter(value -> value.name().equals(word)).findFirst());
        if (text.isPresent() && found.isEmpty()) {
            List<String> known = Arrays.stream(words).map(Enum::name).toList();
            reading.problem(
                    fields,
                    key,
                    key + " is \"" + text.get() + "\" (expected: " + String.join(", ", known) + ").",
                    Nearest.didYouMean(text.get(), known) + "Write one of them.");
        }
        return found;
    }
}
