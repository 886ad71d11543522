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

/** The tasks of a dynamic fork: an array of {@code {"ref", "target", "input"}}, with a {@code "shape"} where their output has one of its own. */
record ForkedTasks(Expression params, Form form) implements Computed {
    static final String REFERENCE = "ref";
    static final String TARGET = "target";
    static final String INPUT = "input";
    static final String SHAPE = "shape";

    static final String HANDLER_PREFIX = "handler:";

    /** Where the tasks are. */
    sealed interface Form {
        /** A list of tasks in one parameter, their inputs by reference name in another. */
        record TasksAndInputs(String tasks, String inputs, String fork) implements Form {}

        /** An object with {@code dynamicTasks} in one parameter. */
        record Joined(String tasks) implements Form {}

        /** One name or type for all, in {@code forkTaskName} and {@code forkTaskType}, and a list of inputs, {@code forkTaskInputs}. */
        record Alike(String fork) implements Form {}
    }

    private record Forked(String reference, String target, JsonValue input, Shape shape) {
        JsonValue json() {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            members.put(REFERENCE, JsonValue.ofString(reference));
            members.put(TARGET, JsonValue.ofString(target));
            members.put(INPUT, input);
            if (shape != Shape.OBJECT) {
                members.put(SHAPE, JsonValue.ofString(shape.name()));
            }
            return JsonObjects.of(members);
        }
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue given = params.evaluate(scope);
        List<Forked> tasks = switch (form) {
            case Form.TasksAndInputs both -> tasksAndInputs(given, both);
            case Form.Joined joined -> joined(given, joined);
            case Form.Alike alike -> alike(given, alike);
        };
        Set<String> references = new HashSet<>();
        StringBuilder array = new StringBuilder("[");
        for (Forked task : tasks) {
            if (!references.add(task.reference())) {
                throw new EvaluationFailed("Two tasks of the dynamic fork have the reference name \"" + task.reference()
                        + "\" (expected: a name of its own for each).");
            }
            array.append(array.length() == 1 ? "" : ",").append(task.json());
        }
        return JsonValue.of(array.append(']').toString());
    }

    private static List<Forked> tasksAndInputs(JsonValue given, Form.TasksAndInputs form) {
        JsonValue inputs = JsonObjects.member(given, form.inputs());
        if (inputs.kind() != JsonValue.Kind.OBJECT) {
            throw wrong(form.inputs(), inputs, "an object with an input for each reference name");
        }
        List<Forked> tasks = new ArrayList<>();
        for (JsonValue task : array(JsonObjects.member(given, form.tasks()), form.tasks())) {
            String reference = text(task, "taskReferenceName", form.tasks());
            String name = optionalText(task, "name", reference);
            Map<String, JsonValue> input = new LinkedHashMap<>();
            add(input, JsonObjects.member(task, "inputParameters"));
            add(input, JsonObjects.member(inputs, reference));
            tasks.add(
                    forked(reference, name, optionalText(task, "type", TaskType.SIMPLE.name()), JsonObjects.of(input)));
        }
        return tasks;
    }

    private static List<Forked> joined(JsonValue given, Form.Joined form) {
        JsonValue holder = JsonObjects.member(given, form.tasks());
        List<Forked> tasks = new ArrayList<>();
        for (JsonValue task : array(JsonObjects.member(holder, "dynamicTasks"), form.tasks() + ".dynamicTasks")) {
            String reference = text(task, "referenceName", form.tasks());
            String name = optionalText(task, "taskName", reference);
            Map<String, JsonValue> input = new LinkedHashMap<>();
            add(input, JsonObjects.member(task, INPUT));
            tasks.add(
                    forked(reference, name, optionalText(task, "type", TaskType.SIMPLE.name()), JsonObjects.of(input)));
        }
        return tasks;
    }

    private static List<Forked> alike(JsonValue given, Form.Alike form) {
        String type = optionalText(given, "forkTaskType", TaskType.SIMPLE.name());
        String name = optionalText(given, "forkTaskName", type.equals(TaskType.SIMPLE.name()) ? form.fork() : type);
        List<Forked> tasks = new ArrayList<>();
        for (JsonValue given1 : array(JsonObjects.member(given, "forkTaskInputs"), "forkTaskInputs")) {
            Map<String, JsonValue> input = new LinkedHashMap<>();
            if (given1.kind() == JsonValue.Kind.OBJECT) {
                add(input, given1);
            } else {
                input.put(INPUT, given1);
            }
            input.put("__index", JsonValue.of(tasks.size()));
            tasks.add(forked("_" + name + "_" + tasks.size(), name, type, JsonObjects.of(input)));
        }
        return tasks;
    }

    private static Forked forked(String reference, String name, String type, JsonValue input) {
        return switch (TaskType.find(type).orElse(TaskType.NOOP)) {
            case SIMPLE, USER_DEFINED -> new Forked(reference, HANDLER_PREFIX + name, input, Shape.OBJECT);
            case HTTP ->
                new Forked(
                        reference,
                        HANDLER_PREFIX + WorkerTasks.HTTP_HANDLER,
                        HttpRequest.of(request(input, WorkerTasks.HTTP_REQUEST)),
                        Shape.of(TaskType.HTTP));
            case KAFKA_PUBLISH ->
                new Forked(
                        reference,
                        HANDLER_PREFIX + WorkerTasks.KAFKA_HANDLER,
                        KafkaRequest.of(request(input, WorkerTasks.KAFKA_REQUEST)),
                        Shape.of(TaskType.KAFKA_PUBLISH));
            default ->
                throw new EvaluationFailed("Task \"" + reference + "\" of the dynamic fork has the type \"" + type
                        + "\" (expected: SIMPLE, HTTP or KAFKA_PUBLISH). Fork tasks that workers run, or give the fork a "
                        + "forkTaskWorkflow.");
        };
    }

    /** The request inside the input, or the input itself. */
    private static JsonValue request(JsonValue input, String name) {
        JsonValue request = JsonObjects.member(input, name);
        return request.isNull() ? input : request;
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
        return params.reads();
    }

    @Override
    public Optional<String> text() {
        return switch (form) {
            case Form.TasksAndInputs both ->
                call("fork_tasks_and_inputs")
                        .text(both.tasks())
                        .text(both.inputs())
                        .text(both.fork())
                        .write();
            case Form.Joined joined -> call("fork_tasks").text(joined.tasks()).write();
            case Form.Alike alike -> call("fork_inputs").text(alike.fork()).write();
        };
    }

    private CallText call(String name) {
        return new CallText(ConductorFunctions.FAMILY + "." + name).expression(params);
    }
}
