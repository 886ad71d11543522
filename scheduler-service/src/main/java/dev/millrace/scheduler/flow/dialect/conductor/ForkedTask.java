package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One task of a dynamic fork, once it is known.
 *
 * @param target what runs: a handler or script, a type of task that is a value, or the path of a flow to start
 * @param shape of its output
 */
record ForkedTask(String reference, ForkedKind kind, String target, JsonValue input, Shape shape) {
    static final String REFERENCE = "ref";
    static final String KIND = "kind";
    static final String TARGET = "target";
    static final String INPUT = "input";
    static final String SHAPE = "shape";

    /**
     * A task of some type.
     *
     * @param name what a worker knows it by
     * @param scripts paths of the scripts that run tasks of these names
     */
    static ForkedTask of(String reference, String name, String type, JsonValue input, Map<String, String> scripts) {
        Optional<TaskType> known = TaskType.find(type);
        ForkedKind kind = known.flatMap(ForkedKind::of).orElseThrow(() -> cannotBeForked(reference, type));
        Shape shape = Shape.of(known.orElseThrow());
        return switch (kind) {
            case JOB -> job(reference, name, known.orElseThrow(), input, scripts);
            case VALUE -> new ForkedTask(reference, kind, type, input, shape);
            case VARIABLES -> new ForkedTask(reference, kind, "", input, shape);
            case START -> {
                JsonValue start = JsonObjects.member(input, SubWorkflows.START);
                JsonValue flow = JsonObjects.member(start, "name");
                if (flow.kind() != JsonValue.Kind.STRING || flow.string().isBlank()) {
                    throw new EvaluationFailed("Task \"" + reference + "\" of the dynamic fork does not say what it "
                            + "starts. Give it an input such as {\"startWorkflow\": {\"name\": \"report\"}}.");
                }
                JsonValue given = JsonObjects.member(start, INPUT);
                yield new ForkedTask(
                        reference,
                        kind,
                        WorkflowNames.path(flow.string()),
                        given.isNull() ? JsonValue.EMPTY_OBJECT : given,
                        shape);
            }
        };
    }

    private static ForkedTask job(
            String reference, String name, TaskType type, JsonValue input, Map<String, String> scripts) {
        return switch (type) {
            case HTTP ->
                job(
                        reference,
                        type,
                        WorkerTasks.HANDLER_PREFIX + WorkerTasks.HTTP_HANDLER,
                        HttpRequest.of(request(input, WorkerTasks.HTTP_REQUEST)));
            case KAFKA_PUBLISH ->
                job(
                        reference,
                        type,
                        WorkerTasks.HANDLER_PREFIX + WorkerTasks.KAFKA_HANDLER,
                        KafkaRequest.of(request(input, WorkerTasks.KAFKA_REQUEST)));
            default -> job(reference, type, NamedTarget.of(name, scripts), input);
        };
    }

    private static ForkedTask job(String reference, TaskType type, String target, JsonValue input) {
        return new ForkedTask(reference, ForkedKind.JOB, target, input, Shape.of(type));
    }

    private static EvaluationFailed cannotBeForked(String reference, String type) {
        return new EvaluationFailed("Task \"" + reference + "\" of the dynamic fork has the type \"" + type
                + "\" (expected: SIMPLE, HTTP, KAFKA_PUBLISH, INLINE, LAMBDA, JSON_JQ_TRANSFORM, SET_VARIABLE, NOOP or "
                + "START_WORKFLOW). Put it into a workflow, and give the fork that as its forkTaskWorkflow.");
    }

    /** The request inside the input, or the input itself. */
    private static JsonValue request(JsonValue input, String name) {
        JsonValue request = JsonObjects.member(input, name);
        return request.isNull() ? input : request;
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
        return JsonObjects.of(members);
    }
}
