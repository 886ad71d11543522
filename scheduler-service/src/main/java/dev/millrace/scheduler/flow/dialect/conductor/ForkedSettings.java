package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.JobOverrides;
import dev.millrace.scheduler.flow.dialect.FlowProblem;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reader of the settings of dynamically forked tasks at run time. It applies the rules for tasks of the definition. */
final class ForkedSettings {
    /** Settings of a task. Other members may be large and are not read here. */
    private static final List<String> KEYS = List.of(
            "retryCount",
            "taskDefinition",
            "optional",
            "permissive",
            "startDelay",
            "rateLimited",
            "asyncComplete",
            "onStateChange",
            CacheConfig.KEY);

    private static final SourceNode.Mark NOWHERE = new SourceNode.Mark(0, 0);

    private final Problems problems = new Problems();
    private final Reading reading = new Reading(problems);
    private final TaskDefinitions definitions = new TaskDefinitions(reading);

    /**
     * Reads the definitions that tasks refer to.
     *
     * @param section the {@code taskDefs} array of the workflow
     */
    ForkedSettings(JsonValue section) {
        SourceNode workflow = mapping(List.of(entry(TaskDefinitions.SECTION, section)));
        definitions.read(reading.fields(workflow, "", "a workflow", List.of()));
        requireNoProblem("The dynamic fork has taskDefs that are not valid");
    }

    /**
     * The settings of one task.
     *
     * @param optional whether the fork tolerates a failure of the task
     * @param overrides settings of the task's job that replace those of the fork
     * @param inputTemplate constants in the input that the task may override
     */
    record Settings(boolean optional, JobOverrides overrides, Map<String, JsonValue> inputTemplate) {
        static final Settings NONE = new Settings(false, JobOverrides.NONE, Map.of());
    }

    /**
     * Reads the settings of a task.
     *
     * @param type type of the task; an unknown type is one that workers run
     * @throws EvaluationFailed if the settings are invalid, or a forked task cannot have them
     */
    Settings of(String reference, String name, String type, JsonValue task) {
        TaskType known = TaskType.find(type).orElse(TaskType.USER_DEFINED);
        List<SourceNode.Entry> entries = new ArrayList<>();
        for (String key : KEYS) {
            entries.add(entry(key, JsonObjects.member(task, key)));
        }
        TaskNode node = new TaskNode(
                reference, name, known, NOWHERE, "", reading.fields(mapping(entries), "", "a task", KEYS), List.of());
        Settings settings = new TaskSettings(reading, node, definitions.find(node)).ofForked();
        requireNoProblem("Task \"" + reference + "\" of the dynamic fork is not valid");
        return settings;
    }

    private void requireNoProblem(String what) {
        Optional<FlowProblem> first = problems.inOrder().stream().findFirst();
        first.ifPresent(problem -> {
            String where = problem.path().isEmpty() ? "" : " at " + problem.path();
            throw new EvaluationFailed(what + where + ". " + problem.message() + " " + problem.remedy());
        });
    }

    private static SourceNode node(JsonValue value) {
        return switch (value.kind()) {
            case OBJECT ->
                mapping(value.members().entrySet().stream()
                        .map(member -> entry(member.getKey(), member.getValue()))
                        .toList());
            case ARRAY ->
                new SourceNode.Sequence(
                        NOWHERE,
                        value.elements().stream().map(ForkedSettings::node).toList());
            case STRING -> new SourceNode.Text(NOWHERE, value.string());
            case NUMBER, BOOLEAN, NULL -> new SourceNode.Literal(NOWHERE, value);
        };
    }

    private static SourceNode mapping(List<SourceNode.Entry> entries) {
        return new SourceNode.Mapping(NOWHERE, entries);
    }

    private static SourceNode.Entry entry(String key, JsonValue value) {
        return new SourceNode.Entry(key, NOWHERE, node(value));
    }
}
