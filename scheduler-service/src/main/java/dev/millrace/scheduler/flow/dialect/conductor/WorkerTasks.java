package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compiler of the tasks that run on workers. */
final class WorkerTasks {
    static final String HANDLER_PREFIX = "handler:";
    static final String HTTP_HANDLER = "millrace.http";
    static final String KAFKA_HANDLER = "millrace.kafka";
    static final String HTTP_REQUEST = "http_request";
    static final String KAFKA_REQUEST = "kafka_request";

    private final Compiling compiling;
    private final Level level;

    WorkerTasks(Compiling compiling, Level level) {
        this.compiling = compiling;
        this.level = level;
    }

    static boolean isWorker(TaskNode task) {
        return switch (task.type()) {
            case SIMPLE, USER_DEFINED, DYNAMIC, HTTP, KAFKA_PUBLISH, FORK_JOIN_DYNAMIC -> true;
            case EVENT -> !Events.isInternal(task);
            default -> false;
        };
    }

    StepAction action(TaskNode task) {
        TaskReferences references = compiling.references(task, level);
        Params params = compiling.params(task, references);
        return switch (task.type()) {
            case HTTP -> cacheable(task, new TaskTarget.HandlerName(HTTP_HANDLER), http(task, params), params);
            case KAFKA_PUBLISH ->
                cacheable(task, new TaskTarget.HandlerName(KAFKA_HANDLER), kafka(task, params), params);
            case EVENT -> event(task, new Events(compiling, references), params);
            case DYNAMIC -> cacheable(task, named(task, params), params.template(), params);
            default -> cacheable(task, target(task.workerName()), params.template(), params);
        };
    }

    private StepAction event(TaskNode task, Events events, Params params) {
        return Events.isInternal(task)
                ? events.internal(task, params)
                : cacheable(task, new TaskTarget.HandlerName(KAFKA_HANDLER), events.message(task, params), params);
    }

    /** Makes a task whose output may be cached. */
    private StepAction cacheable(TaskNode task, TaskTarget target, Template input, Params params) {
        return task(task, target, input, new CacheConfig(compiling.reading(), params).read(task));
    }

    /** The script with the given name if there is one, otherwise the handler. */
    TaskTarget target(String name) {
        Optional<String> script = compiling.script(name);
        return script.isPresent() ? new TaskTarget.ScriptPath(script.get()) : new TaskTarget.HandlerName(name);
    }

    StepAction.Task task(TaskNode task, TaskTarget target, Template input) {
        return task(task, target, input, Optional.empty());
    }

    private StepAction.Task task(TaskNode task, TaskTarget target, Template input, Optional<TaskOptions.Cache> cache) {
        TaskSettings settings = new TaskSettings(
                compiling.reading(), task, compiling.definitions().applied(task));
        return new StepAction.Task(
                target,
                input,
                new TaskOptions(
                        Optional.empty(),
                        0,
                        settings.attemptTimeout(),
                        settings.jobRetry(),
                        cache,
                        false,
                        settings.limit()));
    }

    /** The script or handler whose name is the value of a parameter. */
    private TaskTarget named(TaskNode task, Params params) {
        String parameter = task.fields().text("dynamicTaskNameParam").orElse("");
        Optional<Template> name = params.find(parameter);
        if (name.isEmpty()) {
            compiling
                    .reading()
                    .problem(
                            task.fields(),
                            "dynamicTaskNameParam",
                            parameter.isEmpty()
                                    ? "Task \"" + task.reference() + "\" has no dynamicTaskNameParam."
                                    : "There is no parameter \"" + parameter + "\".",
                            "Name the parameter in inputParameters that holds the name of the task to run.");
            return new TaskTarget.HandlerName(task.name());
        }
        Expression expression = Params.expression(name.get());
        Map<String, String> scripts = compiling.namedScripts();
        return new TaskTarget.Computed(
                scripts.isEmpty()
                        ? new Template.Text(List.of(
                                new Template.Part.Literal(HANDLER_PREFIX), new Template.Part.Embedded(expression)))
                        : new Template.Whole(new NamedTarget(expression, scripts)));
    }

    private Template kafka(TaskNode task, Params params) {
        Optional<Template> request = params.find(KAFKA_REQUEST);
        if (request.isEmpty()) {
            compiling
                    .reading()
                    .problem(
                            task.mark(),
                            task.fields().path("inputParameters"),
                            "Task \"" + task.reference() + "\" has no kafka_request.",
                            "Add it to inputParameters, with bootStrapServers, topic and value.");
        }
        return new Template.Whole(new KafkaRequest(Params.expression(request.orElse(Template.Constant.EMPTY_OBJECT))));
    }

    private Template http(TaskNode task, Params params) {
        return http(task, params, HttpRequest.KEYS);
    }

    /** @param known keys that a request may have */
    Template http(TaskNode task, Params params, List<String> known) {
        Template request = params.find(HTTP_REQUEST).orElseGet(params::template);
        checkRequest(task, params.find(HTTP_REQUEST).isPresent(), known);
        return HttpTemplate.of(request)
                .orElseGet(() -> new Template.Whole(new HttpRequest(Params.expression(request))));
    }

    /** Reports problems of a request that are visible before its evaluation. */
    private void checkRequest(TaskNode task, boolean inside, List<String> known) {
        Optional<SourceNode> parameters = task.fields().find("inputParameters");
        String path = task.fields().path("inputParameters");
        Optional<SourceNode> request = parameters;
        if (inside && parameters.isPresent() && parameters.get() instanceof SourceNode.Mapping) {
            Fields members = compiling.reading().fields(parameters.get(), path, "inputParameters", List.of());
            request = members.find(HTTP_REQUEST);
            path = members.path(HTTP_REQUEST);
        }
        if (request.isEmpty() || !(request.get() instanceof SourceNode.Text)) {
            SourceNode node = request.orElse(new SourceNode.Mapping(task.mark(), List.of()));
            Fields fields = compiling.reading().fields(node, path, "a request", List.of());
            if (inside) {
                ignoreUnknown(fields, known);
            }
            if (fields.isObject() && !fields.has("uri")) {
                compiling
                        .reading()
                        .problem(
                                fields.mark(),
                                path,
                                "The request has no uri.",
                                "Add uri, for example \"uri\": \"https://example.com/items\".");
            }
            if (fields.isObject() && !fields.has("method")) {
                compiling
                        .reading()
                        .warn(
                                fields.mark(),
                                path,
                                "The request has no method: Conductor would fail the task, here it is a GET.",
                                "Add \"method\": \"GET\".");
            }
        }
    }

    /**
     * Warns about keys that a request does not have. As in Conductor, they have no effect, so a misspelled key would go
     * unnoticed.
     */
    private void ignoreUnknown(Fields fields, List<String> known) {
        for (SourceNode.Entry entry : fields.entries()) {
            if (!known.contains(entry.key())) {
                compiling
                        .reading()
                        .warn(
                                entry.mark(),
                                fields.path(entry.key()),
                                "\"" + entry.key() + "\" is not a key of a request, and has no effect.",
                                Nearest.to(entry.key(), known)
                                        .map(near -> "Did you mean \"" + near + "\"?")
                                        .orElse("Known keys: " + String.join(", ", known) + "."));
            }
        }
    }
}
