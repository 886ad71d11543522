package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.StepAction;
import dev.millrace.scheduler.flow.core.StepAction.TaskTarget;
import dev.millrace.scheduler.flow.core.StepAction.WaitFor;
import dev.millrace.scheduler.flow.dialect.Durations;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Turns {@code actionName} and {@code params} into what a step does. */
final class Actions {
    private static final String WAITING = "ff-waiting";
    private static final List<String> WAITING_KEYS = List.of("waitingTime");
    private static final List<String> SCRIPTS = List.of(".py", ".ts", ".mts", ".js", ".mjs");

    private final Reading reading;

    Actions(Reading reading) {
        this.reading = reading;
    }

    Optional<StepAction> read(Fields task) {
        Optional<String> name = task.text("actionName");
        Optional<Duration> timeout = timeout(task);
        if (name.isEmpty() || name.get().isBlank()) {
            if (task.isObject() && (name.isPresent() || !task.has("actionName"))) {
                reading.problem(
                        task.find("actionName").map(SourceNode::mark).orElse(task.mark()),
                        task.path("actionName"),
                        "The task has no actionName.",
                        "Name a script such as print.py, a handler of a worker, http, or " + WAITING + ".");
            }
            return Optional.empty();
        }
        return Optional.of(
                switch (name.get()) {
                    case WAITING -> waiting(task);
                    case "http", "HTTP" ->
                        new StepAction.Task(
                                new TaskTarget.HandlerName(HttpParams.HANDLER),
                                new HttpParams(reading).read(task),
                                options(timeout));
                    default -> new StepAction.Task(target(name.get()), params(task), options(timeout));
                });
    }

    private TaskTarget target(String action) {
        if (SCRIPTS.stream().anyMatch(action::endsWith)) {
            reading.useScript(action);
            return new TaskTarget.ScriptPath(action);
        }
        return new TaskTarget.HandlerName(action);
    }

    private Template params(Fields task) {
        Optional<SourceNode> params = task.find("params");
        if (params.isPresent() && !(params.get() instanceof SourceNode.Mapping)) {
            reading.problem(
                    params.get().mark(),
                    task.path("params"),
                    "params is " + params.get().phrase() + " (expected: an object).",
                    "Write one key for each parameter.");
        }
        return params.map(node -> new Params(reading).read(node, task.path("params")))
                .orElse(Template.Constant.EMPTY_OBJECT);
    }

    private static StepAction.TaskOptions options(Optional<Duration> timeout) {
        return new StepAction.TaskOptions(Optional.empty(), 0, timeout, RetryPolicy.NONE);
    }

    /** Seconds; 0 stands for the default. */
    private static Optional<Duration> timeout(Fields task) {
        return task.whole("timeoutSecs", 0, (int) JobOptions.TIMEOUT_LIMIT.toSeconds())
                .filter(seconds -> seconds > 0)
                .map(Duration::ofSeconds);
    }

    private StepAction waiting(Fields task) {
        task.refuse(List.of("timeoutSecs"), "does not apply to " + WAITING + ".", "Remove it.");
        Optional<Fields> params = task.find("params")
                .map(node -> Fields.of(
                        reading.problems(), node, task.path("params"), "the params of " + WAITING, WAITING_KEYS));
        Template time = params.flatMap(fields -> fields.find("waitingTime"))
                .map(node -> new Params(reading).read(node, task.path("params.waitingTime")))
                .orElse(Template.Constant.NULL);
        boolean usable = !(time instanceof Template.Constant(JsonValue constant))
                || (constant.kind() == JsonValue.Kind.STRING
                        && Durations.parse(constant.string()).isPresent());
        if (!usable) {
            reading.problem(
                    task.find("params").map(SourceNode::mark).orElse(task.mark()),
                    task.path("params.waitingTime"),
                    "waitingTime is missing or no duration.",
                    "Write a whole number with a unit: 250ms, 30s, 5m, 2h or 1d.");
        }
        return new StepAction.Wait(new WaitFor.Delay(time));
    }
}
