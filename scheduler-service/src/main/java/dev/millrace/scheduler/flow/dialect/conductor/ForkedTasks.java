package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tasks of a dynamic fork: a JSON array of {@link ForkedTask}s.
 *
 * @param scripts paths of scripts by the name of the task that they run; handlers run all other tasks
 * @param definitions the {@code taskDefs} array of the workflow
 */
record ForkedTasks(Expression params, Form form, Map<String, String> scripts, JsonValue definitions)
        implements Computed {
    /** Parameter that names the workflow that all tasks run. */
    static final String WORKFLOW = "forkTaskWorkflow";

    /** Parameter with the version of that workflow. */
    static final String WORKFLOW_VERSION = "forkTaskWorkflowVersion";

    private static final String TYPE = "type";
    /** Types of tasks whose default name is the name of the fork. The default name of other tasks is their type. */
    private static final Set<String> NAMED_BY_FORK = Set.of(TaskType.SIMPLE.name(), TaskType.SUB_WORKFLOW.name());

    ForkedTasks {
        scripts = Map.copyOf(scripts);
    }

    /** Way in which the parameters list the tasks. */
    sealed interface Form {
        /** A list of tasks in one parameter, and their inputs by reference name in another. */
        record TasksAndInputs(String tasks, String inputs, String fork) implements Form {}

        /** An object with {@code dynamicTasks} in one parameter. */
        record Joined(String tasks) implements Form {}

        /**
         * One name or type for all tasks, in {@code forkTaskName} and {@code forkTaskType}, and a list of inputs in
         * {@code forkTaskInputs}.
         *
         * @param later whether a dynamic fork ran before; if so, the reference names of the tasks include the name of
         *     this fork
         */
        record Alike(String fork, Expression later) implements Form {
            /** The form of the first dynamic fork. */
            Alike(String fork) {
                this(fork, EarlierFork.NONE);
            }
        }
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue given = params.evaluate(scope);
        ForkedSettings settings = new ForkedSettings(JsonValue.of(definitions.text()));
        List<ForkedTask> tasks = switch (form) {
            case Form.TasksAndInputs both -> tasksAndInputs(given, both, settings);
            case Form.Joined joined -> joined(given, joined, settings);
            case Form.Alike alike ->
                alike(given, alike, alike.later().evaluate(scope).isTruthy(), settings);
        };
        Set<String> references = new HashSet<>();
        StringBuilder array = new StringBuilder("[");
        for (ForkedTask task : tasks) {
            if (!references.add(task.reference())) {
                throw new EvaluationFailed("Two tasks of the dynamic fork have the reference name \"" + task.reference()
                        + "\" (expected: a name of its own for each).");
            }
            array.append(array.length() == 1 ? "" : ",").append(task.json());
        }
        return JsonValue.of(array.append(']').toString());
    }

    private List<ForkedTask> tasksAndInputs(JsonValue given, Form.TasksAndInputs form, ForkedSettings settings) {
        JsonValue inputs = JsonObjects.member(given, form.inputs());
        if (inputs.kind() != JsonValue.Kind.OBJECT) {
            throw wrong(form.inputs(), inputs, "an object with an input for each reference name");
        }
        List<ForkedTask> tasks = new ArrayList<>();
        for (JsonValue task : array(JsonObjects.member(given, form.tasks()), form.tasks())) {
            String reference = text(task, "taskReferenceName", form.tasks());
            String name = optionalText(task, "name", reference);
            Map<String, JsonValue> input = new LinkedHashMap<>();
            add(input, JsonObjects.member(task, "inputParameters"));
            add(input, JsonObjects.member(inputs, reference));
            tasks.add(forked(reference, name, input, task, settings.of(reference, name, type(task), task)));
        }
        return tasks;
    }

    private List<ForkedTask> joined(JsonValue given, Form.Joined form, ForkedSettings settings) {
        JsonValue holder = JsonObjects.member(given, form.tasks());
        List<ForkedTask> tasks = new ArrayList<>();
        for (JsonValue task : array(JsonObjects.member(holder, "dynamicTasks"), form.tasks() + ".dynamicTasks")) {
            String reference = text(task, "referenceName", form.tasks());
            String name = optionalText(task, "taskName", reference);
            Map<String, JsonValue> input = new LinkedHashMap<>();
            add(input, JsonObjects.member(task, ForkedTask.INPUT));
            tasks.add(forked(reference, name, input, task, settings.of(reference, name, type(task), task)));
        }
        return tasks;
    }

    private List<ForkedTask> alike(JsonValue given, Form.Alike form, boolean later, ForkedSettings settings) {
        JsonValue definition = alikeDefinition(given);
        String type = type(definition);
        String name = optionalText(given, "forkTaskName", NAMED_BY_FORK.contains(type) ? form.fork() : type);
        boolean isWorkflow = given.members().containsKey(WORKFLOW);
        ForkedSettings.Settings shared =
                isWorkflow ? ForkedSettings.Settings.NONE : settings.of("_" + name, name, type, definition);
        String prefix = "_" + (later ? form.fork() + "_" : "") + name + "_";
        List<ForkedTask> tasks = new ArrayList<>();
        for (JsonValue element : array(JsonObjects.member(given, "forkTaskInputs"), "forkTaskInputs")) {
            Map<String, JsonValue> input = new LinkedHashMap<>();
            if (element.kind() == JsonValue.Kind.OBJECT) {
                add(input, element);
            } else {
                input.put(ForkedTask.INPUT, element);
            }
            input.put("__index", JsonValue.of(tasks.size()));
            tasks.add(forked(prefix + tasks.size(), name, input, definition, shared));
        }
        return tasks;
    }

    /** Makes the definition that each of the tasks would have if they were listed one by one. */
    private static JsonValue alikeDefinition(JsonValue given) {
        if (!given.members().containsKey(WORKFLOW)) {
            String type = optionalText(given, "forkTaskType", TaskType.SIMPLE.name());
            return JsonObjects.of(Map.of(TYPE, JsonValue.ofString(type)));
        }
        JsonValue workflow = JsonObjects.member(given, WORKFLOW);
        if (workflow.kind() != JsonValue.Kind.STRING || workflow.string().isBlank()) {
            throw wrong(WORKFLOW, workflow, "the name of a workflow");
        }
        return JsonObjects.of(Map.of(
                TYPE,
                JsonValue.ofString(TaskType.SUB_WORKFLOW.name()),
                SubWorkflows.PARAM,
                JsonObjects.of(Map.of("name", workflow, "version", JsonObjects.member(given, WORKFLOW_VERSION)))));
    }

    private ForkedTask forked(
            String reference,
            String name,
            Map<String, JsonValue> input,
            JsonValue definition,
            ForkedSettings.Settings settings) {
        Map<String, JsonValue> whole = new LinkedHashMap<>(settings.inputTemplate());
        whole.putAll(input);
        return ForkedTask.of(
                        new ForkedTask.Given(reference, name, type(definition), JsonObjects.of(whole), definition),
                        scripts)
                .with(settings);
    }

    private static String type(JsonValue definition) {
        return optionalText(definition, TYPE, TaskType.SIMPLE.name());
    }

    private static void add(Map<String, JsonValue> input, JsonValue members) {
        if (members.kind() == JsonValue.Kind.OBJECT) {
            input.putAll(members.members());
        }
    }

    private static List<JsonValue> array(JsonValue value, String name) {
        if (value.kind() != JsonValue.Kind.ARRAY) {
            throw wrong(name, value, "an array");
        }
        return value.elements();
    }

    private static String text(JsonValue holder, String name, String where) {
        JsonValue value = JsonObjects.member(holder, name);
        if (value.kind() != JsonValue.Kind.STRING) {
            throw wrong(name + " of a task in " + where, value, "a string");
        }
        return value.string();
    }

    private static String optionalText(JsonValue holder, String name, String otherwise) {
        JsonValue value = JsonObjects.member(holder, name);
        return value.kind() == JsonValue.Kind.STRING ? value.string() : otherwise;
    }

    private static EvaluationFailed wrong(String name, JsonValue value, String expected) {
        return new EvaluationFailed("The dynamic fork has no tasks: " + name + " is "
                + value.kind().phrase() + " (expected: " + expected + ").");
    }

    @Override
    public Reads reads() {
        return form instanceof Form.Alike alike
                ? params.reads().and(alike.later().reads())
                : params.reads();
    }

    @Override
    public Optional<String> text() {
        CallText call = switch (form) {
            case Form.TasksAndInputs both ->
                call("fork_tasks_and_inputs")
                        .text(both.tasks())
                        .text(both.inputs())
                        .text(both.fork());
            case Form.Joined joined -> call("fork_tasks").text(joined.tasks());
            case Form.Alike alike
            when alike.later().equals(EarlierFork.NONE) -> call("fork_inputs").text(alike.fork());
            case Form.Alike alike ->
                call("fork_inputs_after").text(alike.fork()).expression(alike.later());
        };
        boolean hasDefinitions = !definitions.equals(JsonValue.EMPTY_ARRAY);
        if (hasDefinitions || !scripts.isEmpty()) {
            call.value(NamedTarget.json(scripts));
        }
        return (hasDefinitions ? call.value(definitions) : call).write();
    }

    private CallText call(String name) {
        return new CallText(ConductorFunctions.FAMILY + "." + name).expression(params);
    }
}
