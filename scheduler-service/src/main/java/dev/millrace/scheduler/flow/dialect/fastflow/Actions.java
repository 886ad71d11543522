package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.text.Durations;
import dev.millrace.text.script.ScriptLanguages;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Compiler of {@code actionName} and {@code params} into the action of a step. */
final class Actions {
    private static final String WAITING = "ff-waiting";
    private static final List<String> BUILT_IN = List.of("http", "HTTP", WAITING);
    /**
     * Keys for actions that run around the task's own action. In Fastflow they are methods of an action, so its own
     * definitions cannot name them.
     */
    static final List<String> HOOKS = List.of("runBefore", "runAfter", "retryBefore");

    private static final List<String> WAITING_KEYS = List.of("waitingTime");

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
                    case "http", "HTTP" -> {
                        refuseHooks(task, name.get());
                        yield new StepAction.Task(
                                new TaskTarget.HandlerName(HttpParams.HANDLER),
                                new HttpParams(reading).read(task),
                                options(timeout));
                    }
                    default -> hooked(task, new StepAction.Task(target(name.get()), params(task), options(timeout)));
                });
    }

    /** Adds the hooks of a task: further actions with the same parameters as its own action. */
    private StepAction hooked(Fields task, StepAction.Task run) {
        Optional<StepAction.Task> retryBefore = hook(task, "retryBefore", run);
        Optional<StepAction.Task> before = hook(task, "runBefore", run);
        Optional<StepAction.Task> after = hook(task, "runAfter", run);
        return retryBefore.isPresent() || before.isPresent() || after.isPresent()
                ? new StepAction.Hooked(run, retryBefore, before, after)
                : run;
    }

    private Optional<StepAction.Task> hook(Fields task, String key, StepAction.Task run) {
        Optional<String> name = task.text(key);
        if (name.isPresent() && (name.get().isBlank() || BUILT_IN.contains(name.get()))) {
            reading.problem(
                    task.find(key).orElseThrow().mark(),
                    task.path(key),
                    key + " is \"" + name.get() + "\" (expected: a script or a handler of a worker).",
                    "Name a script such as prepare.py, which gets the params of the task.");
            return Optional.empty();
        }
        return name.map(action -> new StepAction.Task(target(action), run.input(), run.options()));
    }

    private static void refuseHooks(Fields task, String action) {
        task.refuse(
                HOOKS,
                "does not apply to " + action + ".",
                "Give it to a task with a script or a handler, or make it a task of its own.");
    }

    private TaskTarget target(String action) {
        if (ScriptLanguages.of(action).isPresent()) {
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

    private static TaskOptions options(Optional<Duration> timeout) {
        return new TaskOptions(Optional.empty(), 0, timeout, RetryPolicy.NONE);
    }

    /** Reads a timeout in seconds; 0 means the default. */
    private static Optional<Duration> timeout(Fields task) {
        return task.whole("timeoutSecs", 0, (int) JobOptions.TIMEOUT_LIMIT.toSeconds())
                .filter(seconds -> seconds > 0)
                .map(Duration::ofSeconds);
    }

    private StepAction waiting(Fields task) {
        refuseHooks(task, WAITING);
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
                    "waitingTime is missing or not a duration.",
                    "Write a whole number with a unit: 250ms, 30s, 5m, 2h or 1d.");
        }
        return new StepAction.Wait(new WaitFor.Delay(time));
    }
}
