package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One task of a dynamic fork, as evaluated at run time.
 *
 * @param target depends on the kind: a handler or script, the type of a task that computes a value, the path of a flow,
 *     or the title of a HUMAN task
 * @param shape of the output
 * @param optional whether the fork tolerates a failure of the task
 * @param overrides settings of the task's job that replace those of the fork; null for none
 */
record ForkedTask(
        String reference,
        ForkedKind kind,
        String target,
        JsonValue input,
        Shape shape,
        boolean optional,
        JsonValue overrides) {
    static final String REFERENCE = "ref";
    static final String KIND = "kind";
    static final String TARGET = "target";
    static final String INPUT = "input";
    static final String SHAPE = "shape";
    static final String OPTIONAL = "optional";
    static final String OVERRIDES = "overrides";

    private static final List<String> TYPES = List.of(
            "SIMPLE",
            "DYNAMIC",
            "HTTP",
            "KAFKA_PUBLISH",
            "INLINE",
            "LAMBDA",
            "JSON_JQ_TRANSFORM",
            "SET_VARIABLE",
            "NOOP",
            "WAIT",
            "HUMAN",
            "SUB_WORKFLOW",
            "START_WORKFLOW");

    private ForkedTask(String reference, ForkedKind kind, String target, JsonValue input, Shape shape) {
        this(reference, kind, target, input, shape, false, JsonValue.NULL);
    }

    /** Returns a copy with settings. */
    ForkedTask with(ForkedSettings.Settings settings) {
        return new ForkedTask(
                reference,
                kind,
                target,
                input,
                shape,
                settings.optional(),
                settings.overrides().json());
    }

    /**
     * A task as given to the fork.
     *
     * @param name by which a worker knows the task
     * @param definition the object that describes the task; empty if only its input is given
     */
    record Given(String reference, String name, String type, JsonValue input, JsonValue definition) {}

    /**
     * Determines what the task becomes.
     *
     * @param scripts paths of scripts by the name of the task that they run
     */
    static ForkedTask of(Given given, Map<String, String> scripts) {
        TaskType type = TaskType.find(given.type()).orElse(TaskType.USER_DEFINED);
        Shape shape = Shape.of(type);
        return switch (type) {
            case SIMPLE -> job(given, NamedTarget.of(given.name(), scripts), given.input(), shape);
            case USER_DEFINED -> job(given, NamedTarget.of(workerName(given), scripts), given.input(), shape);
            case DYNAMIC -> job(given, NamedTarget.of(nameInInput(given), scripts), given.input(), shape);
            case HTTP ->
                job(
                        given,
                        handler(WorkerTasks.HTTP_HANDLER),
                        HttpRequest.of(request(given, WorkerTasks.HTTP_REQUEST)),
                        shape);
            case KAFKA_PUBLISH ->
                job(
                        given,
                        handler(WorkerTasks.KAFKA_HANDLER),
                        KafkaRequest.of(request(given, WorkerTasks.KAFKA_REQUEST)),
                        shape);
            case INLINE, LAMBDA, JSON_JQ_TRANSFORM, NOOP ->
                new ForkedTask(given.reference(), ForkedKind.VALUE, given.type(), given.input(), shape);
            case SET_VARIABLE -> new ForkedTask(given.reference(), ForkedKind.VARIABLES, "", given.input(), shape);
            case START_WORKFLOW -> start(given, shape);
            case SUB_WORKFLOW ->
                new ForkedTask(given.reference(), ForkedKind.CHILD, workflow(given), given.input(), shape);
            case WAIT -> new ForkedTask(given.reference(), waitKind(given), "", given.input(), shape);
            case HUMAN -> new ForkedTask(given.reference(), ForkedKind.HUMAN, given.name(), given.input(), shape);
            case HTTP_POLL,
                    TERMINATE,
                    SWITCH,
                    DECISION,
                    FORK_JOIN,
                    FORK_JOIN_DYNAMIC,
                    JOIN,
                    EXCLUSIVE_JOIN,
                    DO_WHILE,
                    EVENT -> throw cannotBeForked(given);
        };
    }

    private static ForkedTask job(Given given, String target, JsonValue input, Shape shape) {
        return new ForkedTask(given.reference(), ForkedKind.JOB, target, input, shape);
    }

    /** The handler name of a task whose type only workers know: the type itself. */
    private static String workerName(Given given) {
        if (given.type().equals(TaskType.USER_DEFINED.name())) {
            return given.name();
        }
        if (!TaskTree.isTypeOfWorkers(given.type())) {
            throw failed(
                    given,
                    "has the type \"" + given.type() + "\" (expected: " + String.join(", ", TYPES)
                            + ", or one of your workers, at most 100 letters, digits, _ and -).");
        }
        return given.type();
    }

    private static String handler(String name) {
        return WorkerTasks.HANDLER_PREFIX + name;
    }

    /** The request inside the input, or the whole input if it has no such member. */
    private static JsonValue request(Given given, String name) {
        JsonValue request = JsonObjects.member(given.input(), name);
        return request.isNull() ? given.input() : request;
    }

    private static String nameInInput(Given given) {
        JsonValue parameter = JsonObjects.member(given.definition(), "dynamicTaskNameParam");
        JsonValue name = parameter.kind() == JsonValue.Kind.STRING
                ? JsonObjects.member(given.input(), parameter.string())
                : JsonValue.NULL;
        if (!isName(name)) {
            throw failed(
                    given,
                    "does not say what it runs. Name the parameter that holds the name of a task in dynamicTaskNameParam.");
        }
        return name.string();
    }

    private static ForkedTask start(Given given, Shape shape) {
        JsonValue start = JsonObjects.member(given.input(), SubWorkflows.START);
        if (start.isNull()) {
            throw failed(
                    given,
                    "does not say what it starts. Give it an input such as {\"startWorkflow\": {\"name\": \"report\"}}.");
        }
        try {
            return new ForkedTask(
                    given.reference(), ForkedKind.START, StartRequest.flow(start), StartRequest.input(start), shape);
        } catch (EvaluationFailed wrong) {
            throw failed(given, "cannot start a workflow: " + wrong.sentence());
        }
    }

    /** The path of the workflow that the task runs. */
    private static String workflow(Given given) {
        JsonValue param = JsonObjects.member(given.definition(), SubWorkflows.PARAM);
        JsonValue definition = JsonObjects.member(param, SubWorkflows.DEFINITION);
        if (!definition.isNull() && !definition.equals(JsonValue.EMPTY_OBJECT)) {
            throw failed(
                    given,
                    "contains the definition of its workflow, which cannot be deployed at run time. Deploy it, and "
                            + "name it in subWorkflowParam.");
        }
        JsonValue inside = JsonObjects.member(param, "name");
        JsonValue name = inside.isNull() ? JsonObjects.member(given.definition(), "workflowName") : inside;
        if (!isName(name)) {
            throw failed(
                    given,
                    "does not say which workflow it runs. Give it a subWorkflowParam such as {\"name\": \"report\"}; if all "
                            + "tasks run the same workflow, name it in forkTaskWorkflow.");
        }
        return WorkflowNames.path(name.string(), JsonObjects.member(param, "version"));
    }

    private static ForkedKind waitKind(Given given) {
        boolean delay = JsonObjects.member(given.input(), Waits.DURATION).isTruthy();
        boolean moment = JsonObjects.member(given.input(), Waits.UNTIL).isTruthy();
        if (delay && moment) {
            throw failed(given, "waits both for a duration and until a moment. Keep one of duration and until.");
        }
        return delay ? ForkedKind.DELAY : moment ? ForkedKind.MOMENT : ForkedKind.SIGNAL;
    }

    private static boolean isName(JsonValue value) {
        return value.kind() == JsonValue.Kind.STRING && !value.string().isBlank();
    }

    private static EvaluationFailed cannotBeForked(Given given) {
        return failed(
                given,
                "has the type \"" + given.type() + "\" (expected: " + String.join(", ", TYPES)
                        + "). Put it into a workflow, and fork that as a SUB_WORKFLOW.");
    }

    private static EvaluationFailed failed(Given given, String how) {
        return new EvaluationFailed("Task \"" + given.reference() + "\" of the dynamic fork " + how);
    }

    JsonValue json() {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put(REFERENCE, JsonValue.ofString(reference));
        if (kind != ForkedKind.JOB) {
            members.put(KIND, kind.word());
        }
        members.put(TARGET, JsonValue.ofString(target));
        members.put(INPUT, input);
        if (shape != Shape.OBJECT) {
            members.put(SHAPE, JsonValue.ofString(shape.name()));
        }
        if (optional) {
            members.put(OPTIONAL, JsonValue.TRUE);
        }
        if (!overrides.isNull()) {
            members.put(OVERRIDES, overrides);
        }
        return JsonObjects.of(members);
    }
}
