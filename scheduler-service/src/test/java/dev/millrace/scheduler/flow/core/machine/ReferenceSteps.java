package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.flow.core.graph.HandledFlow;
import dev.millrace.scheduler.flow.core.graph.HookedStep;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Done;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Failing;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Pending;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Steps in the reference interpreter: when each begins, its attempts and its end. */
final class ReferenceSteps {
    private static final ReferenceResult NOTHING = new Done(JsonValue.ofString(""));
    private static final Template DEFAULT_LIMIT_KEY =
            new Template.Constant(JsonValue.ofString("hash of " + RandomFlow.SCRIPT));

    private final ReferenceMemory memory;
    private final Map<String, FlowDefinition> subFlows;
    private final ReferenceLoops loops;
    private final ReferenceBranches branches;

    ReferenceSteps(ReferenceMemory memory, ReferenceLists lists, Map<String, FlowDefinition> subFlows) {
        this.memory = memory;
        this.subFlows = subFlows;
        this.loops = new ReferenceLoops(memory, lists, this);
        this.branches = new ReferenceBranches(memory, lists);
    }

    ReferenceResult walk(Step step, String key, ReferenceEnv env) {
        if (step.policy().skip().isPresent()) {
            if (!env.mayBegin(key + "#skip")) {
                return new Pending();
            }
            ReferenceResult when = env.resolve(step.policy().skip().get().when(), key);
            if (when instanceof Failing) {
                return when;
            }
            if (when instanceof Done done && done.value().isTruthy()) {
                memory.begun.add(key + "#skipped");
                return env.resolve(step.policy().skip().get().result(), key);
            }
        }
        if (step.policy().mock().isPresent()) {
            return env.mayBegin(key) ? env.resolve(step.policy().mock().get(), key) : new Pending();
        }
        return delay(step, key, env).orElseGet(() -> act(step, key, env));
    }

    /** Returns the result of the wait before a step; empty if there is none, or it has ended. */
    private Optional<ReferenceResult> delay(Step step, String key, ReferenceEnv env) {
        boolean isOver =
                memory.outcomes.containsKey(key + "#delay") || memory.isBegun(key) || memory.begun.contains(key);
        if (step.policy().delay().isEmpty() || isOver) {
            return memory.delay(key);
        }
        if (memory.live.contains(key + "#delay") || env.blocked) {
            memory.passedOver |= env.blocked;
            return Optional.of(new Pending());
        }
        ReferenceResult resolved = env.resolve(step.policy().delay().get(), key);
        if (!(resolved instanceof Done(JsonValue seconds))) {
            return Optional.of(resolved);
        }
        if (seconds.kind() != JsonValue.Kind.NUMBER) {
            return Optional.of(memory.own(key));
        }
        if (Double.parseDouble(seconds.toString()) == 0) {
            return Optional.empty();
        }
        memory.beginning.put(key + "#delay", "null");
        return Optional.of(new Pending());
    }

    private ReferenceResult act(Step step, String key, ReferenceEnv env) {
        return switch (step.action()) {
            case StepAction.Task task -> task(step, task, key, env);
            case StepAction.StartRun start -> job(key, start.input(), env);
            case StepAction.ChildRun child -> childRun(step, child, key, env);
            case StepAction.HttpPoll poll -> poll(step, poll, key, env);
            case StepAction.Wait wait ->
                job(
                        key,
                        wait.until() instanceof WaitFor.Events events ? events.details() : Template.Constant.NULL,
                        env);
            case StepAction.Compute compute -> env.mayBegin(key) ? env.resolve(compute.result(), key) : new Pending();
            case StepAction.Publish publish -> env.mayBegin(key) ? env.resolve(publish.message(), key) : new Pending();
            case StepAction.Hooked _,
                    StepAction.ForEach _,
                    StepAction.While _,
                    StepAction.Parallel _,
                    StepAction.Switch _,
                    StepAction.SubFlow _,
                    StepAction.InlineFlow _ -> container(step, key, env);
            case StepAction.SetVariables _, StepAction.Terminate _ ->
                throw new AssertionError("no such action in random flows");
        };
    }

    private ReferenceResult task(Step step, StepAction.Task task, String key, ReferenceEnv env) {
        Optional<ReferenceResult> delay = memory.delay(key);
        if (delay.isPresent()) {
            return delay.get();
        }
        ReferenceResult result = job(key, task.input(), task.options(), env);
        if (result instanceof Failing failing
                && failing.error().retryable()
                && step.policy().retryIf().isPresent()
                && !env.blocked
                && memory.resets.getOrDefault(key, 0) < task.options().retry().retriesMax()
                && isTrue(step.policy().retryIf().get(), env, failing.tolerated(step.id()))) {
            memory.resets.merge(key, 1, Integer::sum);
            memory.outcomes.remove(key);
            if (task.options().retry().delayBefore(1, 1).isPositive()) {
                memory.beginning.put(key + "#delay", "null");
            } else {
                memory.again = true;
            }
            return new Pending();
        }
        return result;
    }

    /** Walks a child run: a task whose retries the machine performs, with a time limit like a container. */
    private ReferenceResult childRun(Step step, StepAction.ChildRun child, String key, ReferenceEnv env) {
        if (memory.outcomes.containsKey(key + ReferenceMemory.LIMIT)) {
            return new Failing(key, ReferenceMemory.TIMED_OUT, false, true);
        }
        boolean begins = !memory.outcomes.containsKey(key) && !memory.live.contains(key) && !env.blocked;
        if (begins && !isText(env.resolve(child.flow(), key))) {
            return memory.own(key);
        }
        ReferenceResult result = job(key, child.input(), env);
        if (memory.outcomes.get(key) instanceof Outcome.Failed
                && !env.blocked
                && memory.resets.getOrDefault(key, 0) < step.policy().retry().retriesMax()) {
            memory.resets.merge(key, 1, Integer::sum);
            memory.outcomes.remove(key);
            memory.again = true;
            return new Pending();
        }
        limitTime(step, key, env, result);
        return result;
    }

    /** Walks a job that is repeated until its result meets a condition, with a time limit like a container. */
    private ReferenceResult poll(Step step, StepAction.HttpPoll poll, String key, ReferenceEnv env) {
        if (memory.outcomes.containsKey(key + ReferenceMemory.LIMIT)) {
            return new Failing(key, ReferenceMemory.TIMED_OUT, false, true);
        }
        ReferenceResult result = memory.delay(key).orElseGet(() -> request(poll, key, env));
        limitTime(step, key, env, result);
        return result;
    }

    private ReferenceResult request(StepAction.HttpPoll poll, String key, ReferenceEnv env) {
        ReferenceResult result = job(key, poll.request().input(), env);
        if (!(memory.outcomes.get(key) instanceof Outcome.Succeeded) || !(result instanceof Done response)) {
            return result;
        }
        env.last = response.value();
        ReferenceResult until = env.resolve(poll.until(), key);
        env.last = null;
        if (!(until instanceof Done met)) {
            return until;
        }
        if (met.value().isTruthy()) {
            return result;
        }
        memory.outcomes.remove(key);
        if (memory.resets.merge(key, 1, Integer::sum) >= poll.requestsMax()) {
            JobError error = HttpPollDecider.tooManyRequests(poll.requestsMax());
            memory.outcomes.put(key, new Outcome.Failed(error));
            return new Failing(key, error, false, true);
        }
        if (env.blocked) {
            memory.passedOver = true;
        } else if (poll.every().equals(new Template.Constant(JsonValue.of(0)))) {
            memory.again = true;
        } else {
            memory.beginning.put(key + "#delay", "null");
        }
        return new Pending();
    }

    private static boolean isText(ReferenceResult result) {
        return result instanceof Done done && done.value().kind() == JsonValue.Kind.STRING;
    }

    private static boolean isTrue(Template condition, ReferenceEnv env, JsonValue tolerated) {
        env.error = tolerated.members().get("error");
        boolean result = env.isTrue(condition);
        env.error = null;
        return result;
    }

    private ReferenceResult job(String key, Template jobInput, ReferenceEnv env) {
        return job(key, jobInput, TaskOptions.DEFAULT, env);
    }

    private ReferenceResult job(String key, Template jobInput, TaskOptions options, ReferenceEnv env) {
        Outcome outcome = memory.outcomes.get(key);
        if (outcome == null) {
            if (memory.live.contains(key) || env.blocked) {
                memory.passedOver |= !memory.live.contains(key);
                return new Pending();
            }
            ReferenceResult resolved = env.resolve(jobInput, key);
            if (!(resolved instanceof Done input)) {
                return resolved;
            }
            StringBuilder asked = new StringBuilder(input.value().toString());
            ReferenceResult overrides =
                    options.overrides().map(object -> env.resolve(object, key)).orElse(NOTHING);
            for (ReferenceResult part : List.of(
                    options.tag().map(tag -> tag(tag, env, key)).orElse(NOTHING),
                    overrides instanceof Done(JsonValue own) ? overrides(own, key) : overrides,
                    overrides instanceof Done(JsonValue own)
                                    && member(own, "limit").isPresent()
                            ? new Done(JsonValue.ofString(" limited by " + RandomFlow.OWN_LIMIT))
                            : options.limit()
                                    .map(limit -> limitKey(limit, env, key))
                                    .orElse(NOTHING),
                    options.cache()
                            .flatMap(TaskOptions.Cache::key)
                            .map(cacheKey -> cacheKey(cacheKey, env, key))
                            .orElse(NOTHING))) {
                if (!(part instanceof Done text)) {
                    return part;
                }
                asked.append(text.value().string());
            }
            memory.beginning.put(key, asked.toString());
            return new Pending();
        }
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> new Done(JsonValue.of(succeeded.result()));
            case Outcome.Skipped skipped -> new Done(JsonValue.of(skipped.result()));
            case Outcome.Failed failed -> new Failing(key, failed.error(), false, true);
            case Outcome.Canceled canceled -> new Failing(key, canceled.reason(), true, true);
        };
    }

    private ReferenceResult tag(Template template, ReferenceEnv env, String key) {
        if (!(env.resolve(template, key) instanceof Done done)
                || done.value().string().length() > JobOptions.TAG_LENGTH_MAX) {
            return memory.own(key);
        }
        return new Done(JsonValue.ofString(" tagged " + done.value().string()));
    }

    private ReferenceResult overrides(JsonValue own, String key) {
        Optional<JsonValue> timeout = member(own, "timeout");
        if (timeout.filter(time -> time.kind() != JsonValue.Kind.NUMBER).isPresent()) {
            return memory.own(key);
        }
        return new Done(
                JsonValue.ofString(timeout.map(time -> " within " + time + "s").orElse("")
                        + (member(own, "retry").isPresent() ? " retried" : "")));
    }

    private static Optional<JsonValue> member(JsonValue object, String name) {
        return object.kind() == JsonValue.Kind.OBJECT
                ? Optional.ofNullable(object.members().get(name))
                : Optional.empty();
    }

    private ReferenceResult cacheKey(Template template, ReferenceEnv env, String key) {
        return env.resolve(template, key) instanceof Done done
                ? new Done(JsonValue.ofString(" cached by " + done.value()))
                : memory.own(key);
    }

    private ReferenceResult limitKey(TaskOptions.Limit limit, ReferenceEnv env, String key) {
        Template template = limit.key().orElse(DEFAULT_LIMIT_KEY);
        if (!(env.resolve(template, key) instanceof Done done)) {
            return memory.own(key);
        }
        String text = done.value().kind() == JsonValue.Kind.STRING
                ? done.value().string()
                : done.value().toString();
        return text.isEmpty() || text.length() > JobLimit.KEY_LENGTH_MAX
                ? memory.own(key)
                : new Done(JsonValue.ofString(" limited by " + text));
    }

    private ReferenceResult container(Step step, String key, ReferenceEnv env) {
        Optional<ReferenceResult> delay = memory.delay(key);
        if (delay.isPresent()) {
            return delay.get();
        }
        if (!env.mayBegin(key)) {
            return new Pending();
        }
        ReferenceResult result = inside(step, key, env);
        if (memory.outcomes.containsKey(key + ReferenceMemory.LIMIT)) {
            // Containers inside may have ended with a tolerated failure because of this, which is visible outside.
            memory.ambiguous |= step.policy().onFailure() != OnFailure.FAIL;
            return new Failing(key, ReferenceMemory.TIMED_OUT, false, true);
        }
        ReferenceResult ended = ended(step, key, env, result);
        limitTime(step, key, env, ended);
        return ended;
    }

    /** Starts or removes the time limit of a container. */
    private void limitTime(Step step, String key, ReferenceEnv env, ReferenceResult result) {
        if (isLimited(step)) {
            if (!(result instanceof Pending)) {
                memory.beginning.remove(key + ReferenceMemory.LIMIT);
            } else if (!env.blocked && !memory.limited.contains(key)) {
                memory.limited.add(key);
                memory.beginning.put(key + ReferenceMemory.LIMIT, "null");
            }
        }
    }

    private ReferenceResult inside(Step step, String key, ReferenceEnv env) {
        return switch (step.action()) {
            case StepAction.Hooked hooked -> branches.hooked(step.id(), hooked, key, env);
            case StepAction.ForEach loop -> loops.forEach(loop, key, env);
            case StepAction.While loop -> loops.repeat(loop, key, env);
            case StepAction.Parallel parallel -> branches.parallel(step.id(), parallel, key, env);
            case StepAction.Switch choice -> branches.choice(step.id(), choice, key, env);
            case StepAction.SubFlow sub -> branches.subFlow(subFlows.get(sub.path()), sub.input(), key, env);
            case StepAction.InlineFlow sub -> branches.subFlow(sub.flow(), sub.input(), key, env);
            case StepAction.Task _,
                    StepAction.StartRun _,
                    StepAction.ChildRun _,
                    StepAction.Wait _,
                    StepAction.HttpPoll _,
                    StepAction.Compute _,
                    StepAction.Publish _,
                    StepAction.SetVariables _,
                    StepAction.Terminate _ -> throw new AssertionError("no container");
        };
    }

    private ReferenceResult ended(Step step, String key, ReferenceEnv env, ReferenceResult result) {
        if (result instanceof Done && !env.mayBegin(key + "#done")) {
            return new Pending();
        }
        RetryPolicy retry = hookedTask(step)
                .map(task -> task.options().retry())
                .orElse(step.policy().retry());
        int retries = retry.retriesMax();
        boolean counts = step.policy().onFailure() == OnFailure.FAIL;
        if (!(result instanceof Failing failing)
                || (failing.direct() && failing.key().equals(key))
                || (counts && retries == 0 && !(step.action() instanceof StepAction.Hooked))) {
            return result;
        }
        if (memory.end("C", key, failing) instanceof Pending pending) {
            return pending;
        }
        if (!env.mayBegin(key + "#done")) {
            return new Pending();
        }
        if (memory.resets.getOrDefault(key, 0) < retries && beginsAgain(step, key, env, failing)) {
            memory.resets.merge(key, 1, Integer::sum);
            memory.attempted.put(key, failing.seen());
            memory.forget(key);
            if (retry.delayBefore(1, 1).isPositive()) {
                memory.beginning.put(key + "#delay", "null");
            } else {
                memory.again = true;
            }
            return new Pending();
        }
        if (step.id().equals(HandledFlow.STEPS)) {
            return failing;
        }
        counts &= failing.canceled() || !failing.key().equals(key + "." + HookedStep.RUN);
        String what = failing.canceled() ? "\" was canceled: " : "\" failed: ";
        JobError error = failing.error();
        return new Failing(
                key,
                counts
                        ? new JobError(
                                error.name(),
                                "Step \"" + failing.key() + what + error.message(),
                                error.stack(),
                                error.retryable())
                        : error,
                false,
                true);
    }

    private static boolean beginsAgain(Step step, String key, ReferenceEnv env, Failing failing) {
        return !(step.action() instanceof StepAction.Hooked hooked)
                || (!failing.key().equals(key + "." + HookedStep.AFTER)
                        && (hookedTask(step).isEmpty() || failing.error().retryable())
                        && (!failing.canceled() || isContainer(hooked.run()))
                        && step.policy()
                                .retryIf()
                                .map(condition -> isTrue(condition, env, failing.tolerated()))
                                .orElse(true));
    }

    private static boolean isContainer(StepAction action) {
        return !(action instanceof StepAction.Task || action instanceof StepAction.ChildRun);
    }

    private static Optional<StepAction.Task> hookedTask(Step step) {
        return step.action() instanceof StepAction.Hooked hooked && hooked.run() instanceof StepAction.Task task
                ? Optional.of(task)
                : Optional.empty();
    }

    private boolean isLimited(Step step) {
        StepAction action = step.action() instanceof StepAction.Hooked hooked ? hooked.run() : step.action();
        Optional<FlowDefinition> flow = switch (action) {
            case StepAction.SubFlow sub -> Optional.ofNullable(subFlows.get(sub.path()));
            case StepAction.InlineFlow sub -> Optional.of(sub.flow());
            default -> Optional.empty();
        };
        return step.policy().timeout().isPresent()
                || flow.flatMap(inner -> inner.options().timeout()).isPresent();
    }
}
