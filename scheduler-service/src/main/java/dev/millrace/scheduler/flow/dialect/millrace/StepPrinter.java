package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.core.definition.WaitEnd;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.text.Durations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Writer of steps. */
final class StepPrinter {
    private final ValuePrinter values;
    private final PolicyPrinter policies;
    private final UnaryOperator<String> scriptPath;

    /**
     * Creates a writer.
     *
     * @param scriptPath returns the path by which the definition names a script
     */
    StepPrinter(ValuePrinter values, UnaryOperator<String> scriptPath) {
        this.values = values;
        this.policies = new PolicyPrinter(values);
        this.scriptPath = scriptPath;
    }

    /** Writes {@code steps} and {@code output}. */
    void write(StepList list, Map<String, Object> owner) {
        List<Object> steps = new ArrayList<>();
        for (int i = 0; i < list.steps().size(); i++) {
            Step step = list.steps().get(i);
            List<String> usual =
                    i == 0 ? List.of() : List.of(list.steps().get(i - 1).id());
            steps.add(step(step, !step.needs().equals(usual)));
        }
        owner.put("steps", steps);
        list.output().ifPresent(output -> owner.put("output", values.value(output)));
    }

    private Map<String, Object> list(StepList list) {
        Map<String, Object> written = new LinkedHashMap<>();
        write(list, written);
        return written;
    }

    private Map<String, Object> step(Step step, boolean unusualNeeds) {
        values.enter("Step \"" + step.id() + "\"");
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("id", step.id());
        if (!Steps.ID.matcher(step.id()).matches()) {
            values.refuse("an id");
        }
        if (unusualNeeds || step.policy().beginIf().isPresent()) {
            written.put("needs", step.needs());
        }
        if (isLoopOfOneTask(step.action()) && hasOwnTries(step.policy())) {
            values.refuse("a retry or time limit around a loop of one task");
        }
        policies.write(step.policy(), written);
        action(step.action(), written);
        return written;
    }

    private static boolean isLoopOfOneTask(StepAction action) {
        return action instanceof StepAction.ForEach loop
                && loop.single()
                && (loop.body().steps().getFirst().action() instanceof StepAction.Task
                        || loop.body().steps().getFirst().action() instanceof StepAction.Hooked);
    }

    /**
     * Whether a step has retries or a timeout that cannot be written, because beside a task these keys belong to the
     * task.
     */
    private static boolean hasOwnTries(StepPolicy policy) {
        return !policy.retry().equals(RetryPolicy.NONE)
                || policy.timeout().isPresent()
                || policy.retryIf().isPresent();
    }

    private void action(StepAction action, Map<String, Object> step) {
        switch (action) {
            case StepAction.Task task -> task(task, step);
            case StepAction.Hooked hooked -> hooked(hooked, step);
            case StepAction.ForEach loop -> forEach(loop, step);
            case StepAction.While loop -> {
                step.put("while", values.value(loop.condition()));
                step.put("check", loop.conditionFirst() ? "before" : "after");
                step.put("max_iterations", loop.iterationsMax());
                options(loop.options(), step);
                write(loop.body(), step);
            }
            case StepAction.Parallel parallel -> parallel(parallel, step);
            case StepAction.Switch choice -> choice(choice, step);
            case StepAction.SubFlow flow -> subFlow(flow, step);
            case StepAction.InlineFlow flow -> inlineFlow(flow, step);
            case StepAction.StartRun start ->
                step.put("start", object("flow", values.value(start.flow()), "input", values.value(start.input())));
            case StepAction.ChildRun child -> childRun(child, step);
            case StepAction.Compute compute -> step.put("value", values.value(compute.result()));
            case StepAction.Publish publish ->
                step.put(
                        "publish",
                        object("event", values.value(publish.event()), "message", values.value(publish.message())));
            case StepAction.SetVariables set -> step.put("set", values.value(set.values()));
            case StepAction.Terminate end ->
                step.put(
                        "terminate",
                        object(
                                "status",
                                end.status().name().toLowerCase(Locale.ROOT),
                                end.status() == EndStatus.SUCCEEDED ? "output" : "reason",
                                values.value(end.status() == EndStatus.SUCCEEDED ? end.output() : end.reason())));
            case StepAction.Wait wait -> step.put("wait", wait(wait.until()));
            case StepAction.HttpPoll poll -> Polls.write(poll, values, step);
        }
    }

    private void task(StepAction.Task task, Map<String, Object> step) {
        switch (task.target()) {
            case TaskTarget.ScriptPath script -> step.put("script", scriptPath.apply(script.path()));
            case TaskTarget.HandlerName handler -> step.put("handler", handler.name());
            case TaskTarget.Computed computed -> step.put("target", values.value(computed.name()));
        }
        input(task.input(), step);
        task.options().tag().ifPresent(tag -> step.put("tag", values.value(tag)));
        if (task.options().priority() != 0) {
            step.put("priority", task.options().priority());
        }
        task.options().timeout().ifPresent(timeout -> step.put("timeout", Durations.text(timeout)));
        PolicyPrinter.retry(task.options().retry(), step);
        task.options().cache().ifPresent(cache -> CacheFields.write(cache, values, step));
        if (task.options().deleteAfterUse()) {
            step.put(TaskFields.DELETE, true);
        }
        task.options().limit().ifPresent(limit -> LimitFields.write(limit, values, step));
        task.options().overrides().ifPresent(object -> step.put(TaskFields.OVERRIDES, values.value(object)));
    }

    private void hooked(StepAction.Hooked hooked, Map<String, Object> step) {
        if (isLoopOfOneTask(hooked.run())) {
            values.refuse("hooks around a loop of one task");
        }
        action(hooked.run(), step);
        hooked.beforeRetry().ifPresent(task -> step.put(Hooks.BEFORE_RETRY, hook(task)));
        hooked.before().ifPresent(task -> step.put(Hooks.BEFORE, hook(task)));
        hooked.after().ifPresent(task -> step.put(Hooks.AFTER, hook(task)));
    }

    private Map<String, Object> hook(StepAction.Task task) {
        Map<String, Object> written = new LinkedHashMap<>();
        task(task, written);
        return written;
    }

    private void forEach(StepAction.ForEach loop, Map<String, Object> step) {
        step.put("for_each", values.value(loop.items()));
        step.put("parallelism", loop.computedParallelism().map(values::value).orElse(loop.parallelism()));
        options(loop.options(), step);
        if (loop.single()) {
            single(loop.body().steps().getFirst(), step);
        } else {
            write(loop.body(), step);
        }
    }

    /** Writes the task or sub-flow that is the whole body of a loop. */
    private void single(Step body, Map<String, Object> step) {
        body.policy().retryIf().ifPresent(condition -> step.put("retry_if", values.value(condition)));
        switch (body.action()) {
            case StepAction.Task task -> task(task, step);
            case StepAction.Hooked hooked -> hooked(hooked, step);
            case StepAction.SubFlow flow -> subFlow(flow, step);
            case StepAction.InlineFlow flow -> inlineFlow(flow, step);
            case StepAction.ChildRun child -> childRun(child, step);
            case StepAction _ -> values.refuse("a loop of one step that is neither a task nor a flow");
        }
        boolean more = !body.policy().withRetryIf(Optional.empty()).equals(StepPolicy.NONE);
        if (more || !body.id().equals(step.get("id"))) {
            values.refuse("a loop of one step that has an id or settings of its own");
        }
    }

    /** Writes the steps of a flow, and those that run after its failure. */
    void write(FlowDefinition flow, Map<String, Object> target) {
        write(flow.steps(), target);
        flow.options().onFailure().ifPresent(list -> {
            Map<String, Object> handler = new LinkedHashMap<>();
            write(list, handler);
            flow.options().recovers().ifPresent(condition -> handler.put("recovers", values.value(condition)));
            target.put("on_failure", handler);
        });
    }

    private void subFlow(StepAction.SubFlow flow, Map<String, Object> step) {
        step.put("flow", flow.path());
        flow.runIdAs().ifPresent(member -> step.put(ServerActions.RUN_ID_AS, member));
        input(flow.input(), step);
    }

    private void childRun(StepAction.ChildRun child, Map<String, Object> step) {
        step.put("flow", values.value(child.flow()));
        step.put(ServerActions.AS, "run");
        child.runIdAs().ifPresent(member -> step.put(ServerActions.RUN_ID_AS, member));
        input(child.input(), step);
    }

    private void inlineFlow(StepAction.InlineFlow inline, Map<String, Object> step) {
        Map<String, Object> flow = new LinkedHashMap<>();
        new FlowFieldsPrinter(values).write(inline.flow(), flow);
        write(inline.flow(), flow);
        step.put("flow", flow);
        input(inline.input(), step);
    }

    private void input(Template input, Map<String, Object> step) {
        if (!input.equals(Template.Constant.EMPTY_OBJECT)) {
            step.put("input", values.value(input));
        }
    }

    private void options(LoopOptions options, Map<String, Object> step) {
        if (!options.skipFailures().equals(LoopOptions.DEFAULT.skipFailures())) {
            step.put(Loops.SKIP, values.value(options.skipFailures()));
        }
        options.breakIf().ifPresent(condition -> step.put("break_if", values.value(condition)));
        options.key().ifPresent(key -> step.put("key", values.value(key)));
        options.keepLast().ifPresent(count -> step.put("keep_last", count));
    }

    private void parallel(StepAction.Parallel parallel, Map<String, Object> step) {
        List<Object> branches = new ArrayList<>();
        for (StepAction.Branch branch : parallel.branches()) {
            Map<String, Object> written = new LinkedHashMap<>();
            if (!branch.name().isEmpty()) {
                written.put("name", branch.name());
            }
            if (branch.skipFailure()) {
                written.put("skip_failure", true);
            }
            write(branch.steps(), written);
            branches.add(written);
        }
        Map<String, Object> written = object("branches", branches);
        if (parallel.parallelism() != Math.clamp(branches.size(), 1, FlowLimits.PARALLELISM_MAX)) {
            written.put("parallelism", parallel.parallelism());
        }
        parallel.stopped().ifPresent(extent -> written.put(Parallels.STOPPED, PolicyPrinter.word(extent)));
        step.put("parallel", written);
    }

    private void choice(StepAction.Switch choice, Map<String, Object> step) {
        if (isBlock(choice)) {
            write(choice.otherwise().orElseThrow(), step);
            return;
        }
        Map<String, Object> written = new LinkedHashMap<>();
        choice.value().ifPresent(value -> written.put("value", values.value(value)));
        List<Object> cases = new ArrayList<>();
        for (StepAction.Case branch : choice.cases()) {
            Map<String, Object> one = switch (branch.test()) {
                case StepAction.Test.Equals equals -> object("equals", values.value(equals.expected()));
                case StepAction.Test.When when -> object("when", values.value(when.condition()));
            };
            write(branch.steps(), one);
            cases.add(one);
        }
        written.put("cases", cases);
        choice.otherwise().ifPresent(steps -> written.put("default", list(steps)));
        step.put("switch", written);
    }

    /** Whether a switch has no cases, so that its steps always run. */
    private static boolean isBlock(StepAction.Switch choice) {
        return choice.value().isEmpty()
                && choice.cases().isEmpty()
                && choice.otherwise().isPresent();
    }

    private Map<String, Object> wait(WaitFor until) {
        return switch (until) {
            case WaitFor.Delay delay -> object("for", values.value(delay.duration()));
            case WaitFor.Until moment -> object("until", values.value(moment.moment()));
            case WaitFor.Events events -> {
                Map<String, Object> wait =
                        object(events.kind().name().toLowerCase(Locale.ROOT), values.value(events.name()));
                if (events.required() != 1) {
                    wait.put("required", events.required());
                }
                if (!events.details().equals(Template.Constant.NULL)) {
                    wait.put("details", values.value(events.details()));
                }
                events.timeLimit().ifPresent(limit -> wait.put("timeout", Durations.text(limit)));
                if (events.onTimeout() == WaitEnd.CONTINUE) {
                    wait.put("on_timeout", "continue");
                }
                if (events.onDenial() == WaitEnd.CONTINUE) {
                    wait.put("on_denial", "continue");
                }
                yield wait;
            }
        };
    }

    private static Map<String, Object> object(String key, Object value) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put(key, value);
        return object;
    }

    private static Map<String, Object> object(String key, Object value, String other, Object otherValue) {
        Map<String, Object> object = object(key, value);
        object.put(other, otherValue);
        return object;
    }
}
