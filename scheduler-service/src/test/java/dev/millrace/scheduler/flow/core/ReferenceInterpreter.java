package dev.millrace.scheduler.flow.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.StepPolicy.OnFailure;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a flow means, written as plainly as possible and only for tests: after every event it walks the whole definition anew with
 * little in hand but the outcomes of jobs. Slow, and shares no code with the machine but the resolution of templates.
 */
final class ReferenceInterpreter {
    private static final JobError TIMED_OUT =
            JobError.permanent("TimedOut", "The step took longer than its time limit of 1m.");
    private static final String LIMIT = "#limit";

    private static final JobError OWN = JobError.permanent("?", "found by the engine");

    private final FlowDefinition flow;
    private final JsonValue input;
    private final Map<String, FlowDefinition> subFlows;
    private final Map<String, Outcome> outcomes = new HashMap<>();
    private final TreeSet<String> live = new TreeSet<>();
    /** Containers whose time has begun to run. */
    private final Set<String> limited = new HashSet<>();
    /** Lists and containers in which nothing begins any more. */
    private final Set<String> ending = new HashSet<>();
    /** What needs no worker and began before something around it came to its end. */
    private final Set<String> begun = new HashSet<>();

    /** What ended its list early, ever. */
    private final Set<String> stopped = new HashSet<>();

    private final Map<String, Integer> resets = new HashMap<>();
    /** What the attempt before failed with, of tasks with others around them. */
    private final Map<String, JsonValue> attempted = new HashMap<>();

    private static final JsonValue NO_LIMIT = JsonValue.ofString("");
    private static final Template DEFAULT_LIMIT_KEY =
            new Template.Constant(JsonValue.ofString("hash of " + RandomFlow.SCRIPT));

    private final Map<String, String> beginning = new LinkedHashMap<>();
    private @Nullable Failing handled;
    private boolean again;
    /** Something could have begun in this walk, but for what came to its end early. */
    private boolean passedOver;

    private boolean ambiguous;

    ReferenceInterpreter(FlowDefinition flow, String input, Map<String, FlowDefinition> subFlows) {
        this.flow = flow;
        this.input = JsonValue.of(input);
        this.subFlows = subFlows;
    }

    /**
     * What follows an event.
     *
     * @param failedStep the step that the run fails with; empty where the output does
     * @param ambiguous whether the engine itself found several failures at once, of which any may count
     */
    record Expectation(
            Map<String, String> jobs, Optional<String> output, Optional<String> failedStep, boolean ambiguous) {}

    /** What became of a step or a list. */
    private sealed interface Result {}

    private record Done(JsonValue value) implements Result {}

    private record Pending() implements Result {}

    private record Failing(String key, JobError error, boolean canceled, boolean direct) implements Result {}

    private record Leaving(JsonValue value) implements Result {}

    Expectation started() {
        return walk();
    }

    Expectation stepEnded(String key, Outcome outcome) {
        live.remove(key);
        outcomes.put(key, outcome);
        if (key.endsWith(LIMIT)) {
            timeOut(key.substring(0, key.length() - LIMIT.length()));
        }
        return walk();
    }

    /** What is inside is cancelled, and nothing begins there any more. */
    private void timeOut(String container) {
        ending.add("C" + container);
        for (String inner : List.copyOf(live)) {
            if (isInside(inner, container)) {
                live.remove(inner);
                outcomes.put(inner, new Outcome.Canceled(TIMED_OUT));
            }
        }
    }

    private Expectation walk() {
        Set<String> before = Set.copyOf(begun);
        Set<String> stoppedBefore = Set.copyOf(stopped);
        Result result;
        do {
            again = false;
            passedOver = false;
            beginning.clear();
            result = run();
        } while (again);
        beginning.keySet().stream().filter(key -> !key.endsWith(LIMIT)).forEach(live::add);
        ambiguous |= stopped.stream().anyMatch(key -> !stoppedBefore.contains(key) && isAmongOthers(key, before));
        return new Expectation(
                new LinkedHashMap<>(beginning),
                result instanceof Done done ? Optional.of(done.value().toString()) : Optional.empty(),
                result instanceof Failing failing ? Optional.of(failing.key()) : Optional.empty(),
                ambiguous);
    }

    /** Whether a step ended its list in the same transition in which the engine worked on others, in an order of its own. */
    private boolean isAmongOthers(String key, Set<String> before) {
        return !outcomes.containsKey(key)
                && (passedOver
                        || begun.stream()
                                .filter(other -> !before.contains(other))
                                .anyMatch(other -> {
                                    int mark = other.indexOf('#', 1);
                                    String step = mark < 0 ? other : other.substring(0, mark);
                                    return !step.startsWith(key) && !key.startsWith(step);
                                }));
    }

    private Result run() {
        Env root = new Env(flow.steps(), null, "", null, -1, input);
        Result result = list(root, "");
        if (result instanceof Leaving leaving) {
            result = end("L", "", new Done(leaving.value()));
        }
        if (!(result instanceof Failing failing)) {
            return result;
        }
        if (failing.direct() && failing.key().isEmpty()) {
            return failing;
        }
        Result ended = handled == null ? end("L", "", failing) : handled;
        if (!(ended instanceof Failing last) || flow.options().onFailure().isEmpty()) {
            return ended;
        }
        handled = last;
        Env handler = new Env(flow.options().onFailure().get(), null, "#failure", null, -1, input);
        Result handling = list(handler, "#failure");
        if (handling instanceof Failing || handling instanceof Leaving) {
            handling = end("L", "#failure", new Done(JsonValue.NULL));
        }
        return handling instanceof Done ? last : handling;
    }

    /** Something comes to its end once nothing inside it is live. */
    private Result end(String frame, String prefix, Result result) {
        ending.add(frame + prefix);
        beginning.keySet().removeIf(key -> isInside(key, prefix));
        return live.stream().anyMatch(key -> isInside(key, prefix)) ? new Pending() : result;
    }

    private static boolean isInside(String key, String prefix) {
        return prefix.isEmpty() ? !key.startsWith("#") : key.startsWith(prefix + ".") || key.startsWith(prefix + "[");
    }

    /** One list while it is walked. */
    private final class Env implements Scope {
        final StepList list;
        final @Nullable Env outer;
        final String prefix;
        final @Nullable JsonValue item;
        final int index;
        final JsonValue inputs;
        boolean blocked;
        final Map<String, JsonValue> results = new HashMap<>();
        final Map<String, JsonValue> left = new HashMap<>();
        final Map<String, List<Env>> inside = new HashMap<>();

        @Nullable JsonValue last;

        @Nullable JsonValue error;

        /** Of what stands around a task: which retry it is, and what the attempt before failed with. */
        int retry;

        @Nullable JsonValue attempted;

        /** What its flow fails with, while the steps for that case run. */
        @Nullable JsonValue failed;
        /** A step inside asked to leave the loop after this iteration. */
        boolean leaves;

        Env(StepList list, @Nullable Env outer, String prefix, @Nullable JsonValue item, int index, JsonValue inputs) {
            this.list = list;
            this.outer = outer;
            this.prefix = prefix;
            this.item = item;
            this.index = index;
            this.inputs = inputs;
            this.blocked = (outer != null && outer.blocked)
                    || ending.contains("L" + prefix)
                    || (!prefix.isEmpty() && ending.contains("C" + container(prefix)));
        }

        private static String container(String prefix) {
            return prefix.endsWith("]") ? prefix.substring(0, prefix.lastIndexOf('[')) : prefix;
        }

        boolean mayBegin(String key) {
            if (blocked) {
                passedOver |= !begun.contains(key);
                return begun.contains(key);
            }
            begun.add(key);
            return true;
        }

        /** What is inside a branch can be read once the branch has ended. */
        void leave(String id) {
            for (Env inner : inside.getOrDefault(id, List.of())) {
                Set.copyOf(inner.inside.keySet()).forEach(inner::leave);
                left.putAll(inner.results);
                left.putAll(inner.left);
            }
        }

        @Override
        public JsonValue inputs() {
            return inputs;
        }

        @Override
        public JsonValue stepResult(String id) {
            return findStepResult(id).orElse(JsonValue.NULL);
        }

        /** A flow in the flow sees its own steps only, and inputs of its own. */
        @SuppressWarnings("ReferenceEquality")
        @Override
        public Optional<JsonValue> findStepResult(String id) {
            JsonValue result = results.getOrDefault(id, left.get(id));
            return result != null || outer == null || outer.inputs != inputs
                    ? Optional.ofNullable(result)
                    : outer.findStepResult(id);
        }

        @Override
        public JsonValue item() {
            return item(0).orElseThrow();
        }

        @Override
        public int index() {
            return index(0);
        }

        @Override
        public Optional<JsonValue> item(int outward) {
            Env env = iteration(outward);
            return env == null ? Optional.empty() : Optional.ofNullable(env.item);
        }

        @Override
        public int index(int outward) {
            Env env = iteration(outward);
            return env == null ? -1 : env.index;
        }

        private @Nullable Env iteration(int outward) {
            int left = outward;
            for (Env env = this; env != null; env = env.outer) {
                if (env.item != null && left-- == 0) {
                    return env;
                }
            }
            return null;
        }

        @Override
        public JsonValue variables() {
            return JsonValue.EMPTY_OBJECT;
        }

        @Override
        public Optional<JsonValue> result() {
            return Optional.ofNullable(last == null ? results.get(HookedTask.RUN) : last);
        }

        @SuppressWarnings("ReferenceEquality")
        @Override
        public Optional<JsonValue> error() {
            if (attempted != null) {
                return Optional.of(attempted);
            }
            Env level = this;
            while (level.outer != null && level.outer.inputs == inputs) {
                level = level.outer;
            }
            return Optional.ofNullable(error == null ? level.failed : error);
        }

        @Override
        public JsonValue env() {
            return JsonValue.EMPTY_OBJECT;
        }

        @Override
        public OptionalInt retry() {
            return retry == 0 ? OptionalInt.empty() : OptionalInt.of(retry);
        }

        @Override
        public String runId() {
            return Flows.RUN.toString();
        }
    }

    /** Walks a list until nothing more happens. */
    private Result list(Env env, String owner) {
        Map<Integer, Failing> failures = new HashMap<>();
        Map<Integer, Failing> atEnd = new HashMap<>();
        Map<Integer, JsonValue> stops = new HashMap<>();
        Map<Integer, JsonValue> leaves = new HashMap<>();
        Set<String> walked = new HashSet<>();
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int i = 0; i < env.list.steps().size(); i++) {
                Step step = env.list.steps().get(i);
                if (walked.contains(step.id()) || !env.results.keySet().containsAll(step.needs())) {
                    continue;
                }
                walked.add(step.id());
                moved = true;
                String key = env.prefix.isEmpty() ? step.id() : env.prefix + "." + step.id();
                Result result = step(step, key, env);
                if (result instanceof Failing failing && step.policy().onFailure() != OnFailure.FAIL) {
                    if (step.policy().onFailure() == OnFailure.FAIL_AT_END) {
                        atEnd.put(i, failing);
                    }
                    env.leave(step.id());
                    if (step.id().equals(HandledFlow.STEPS)) {
                        env.failed = tolerated(failing, lastId(failing.key()))
                                .members()
                                .get("error");
                    }
                    env.results.put(step.id(), tolerated(failing, step.id()));
                } else if (result instanceof Failing failing) {
                    failures.put(i, failing);
                } else if (result instanceof Leaving leaving) {
                    leaves.put(i, leaving.value());
                } else if (result instanceof Done done) {
                    stop(step, key, env, done.value(), i, failures, stops, leaves);
                    env.leave(step.id());
                    env.results.put(step.id(), done.value());
                }
                env.blocked |= !failures.isEmpty() || !leaves.isEmpty() || !stops.isEmpty();
            }
        }
        if (!failures.isEmpty()) {
            // Where something around tolerates the failure, the loop is left all the same, with a result that is lost
            // here.
            ambiguous |= !leaves.isEmpty();
            if (!stops.isEmpty()) {
                failures.putAll(atEnd);
            }
            return first(failures);
        }
        boolean complete = env.results.size() == env.list.steps().size();
        if (!atEnd.isEmpty() && complete) {
            return first(atEnd);
        }
        if (!atEnd.isEmpty() && (!stops.isEmpty() || (!leaves.isEmpty() && env.item != null))) {
            return first(atEnd);
        }
        if (!leaves.isEmpty()) {
            // An iteration that is ended and left takes its result from whichever of the two stands first in it.
            boolean stoppedFirst = !stops.isEmpty()
                    && env.iteration(0) == env
                    && Collections.min(stops.keySet()) < Collections.min(leaves.keySet());
            return new Leaving(first(stoppedFirst ? stops : leaves));
        }
        if (!stops.isEmpty()) {
            return end("L", env.prefix, new Done(first(stops)));
        }
        if (!complete) {
            return new Pending();
        }
        return output(env, owner);
    }

    private static <T> T first(Map<Integer, T> all) {
        return requireNonNull(all.get(Collections.min(all.keySet())));
    }

    private void stop(
            Step step,
            String key,
            Env env,
            JsonValue last,
            int position,
            Map<Integer, Failing> failures,
            Map<Integer, JsonValue> stops,
            Map<Integer, JsonValue> leaves) {
        if (outcomes.get(key) instanceof Outcome.Skipped || begun.contains(key + "#skipped")) {
            return;
        }
        env.last = last;
        for (StepPolicy.Stop stop : step.policy().stops()) {
            Result when = resolve(stop.when(), env, key);
            if (when instanceof Failing failing) {
                failures.put(position, failing);
                break;
            }
            if (when instanceof Done done && done.value().isTruthy()) {
                stopped.add(key);
                if (stop.failure().isPresent()) {
                    failures.put(position, own(key));
                } else if (stop.extent() == StepPolicy.Extent.LIST) {
                    stops.put(position, last);
                } else {
                    leaves.put(position, last);
                    Env around = env.iteration(0);
                    if (around != null) {
                        around.leaves = true;
                    }
                }
                break;
            }
        }
        env.last = null;
    }

    private Result output(Env env, String owner) {
        if (env.list.output().isPresent()) {
            return resolve(env.list.output().get(), env, owner);
        }
        List<Step> steps = env.list.steps();
        return new Done(
                steps.isEmpty()
                        ? JsonValue.NULL
                        : env.stepResult(steps.getLast().id()));
    }

    private Result step(Step step, String key, Env env) {
        if (step.policy().skip().isPresent()) {
            if (!env.mayBegin(key + "#skip")) {
                return new Pending();
            }
            Result when = resolve(step.policy().skip().get().when(), env, key);
            if (when instanceof Failing) {
                return when;
            }
            if (when instanceof Done done && done.value().isTruthy()) {
                begun.add(key + "#skipped");
                return resolve(step.policy().skip().get().result(), env, key);
            }
        }
        if (step.policy().mock().isPresent()) {
            return env.mayBegin(key) ? resolve(step.policy().mock().get(), env, key) : new Pending();
        }
        return switch (step.action()) {
            case StepAction.Task task -> task(step, task, key, env);
            case StepAction.StartRun start -> job(key, start.input(), env);
            case StepAction.Wait _ -> job(key, Template.Constant.NULL, env);
            case StepAction.Compute compute -> env.mayBegin(key) ? resolve(compute.result(), env, key) : new Pending();
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

    /** What the wait before a further attempt comes to; empty where there is none, or it is over. */
    private Optional<Result> delay(String key) {
        if (live.contains(key + "#delay")) {
            return Optional.of(new Pending());
        }
        return switch (outcomes.get(key + "#delay")) {
            case Outcome.Failed failed -> Optional.of(new Failing(key, failed.error(), false, true));
            case Outcome.Canceled canceled -> Optional.of(new Failing(key, canceled.reason(), true, true));
            case Outcome.Succeeded _, Outcome.Skipped _ -> Optional.empty();
            case null -> Optional.empty();
        };
    }

    private Result task(Step step, StepAction.Task task, String key, Env env) {
        Optional<Result> delay = delay(key);
        if (delay.isPresent()) {
            return delay.get();
        }
        Result result = job(key, task.input(), task.options().limit(), env);
        if (result instanceof Failing failing
                && failing.error().retryable()
                && step.policy().retryIf().isPresent()
                && !env.blocked
                && resets.getOrDefault(key, 0) < task.options().retry().retriesMax()
                && isTrue(step.policy().retryIf().get(), env, tolerated(failing, step.id()))) {
            resets.merge(key, 1, Integer::sum);
            outcomes.remove(key);
            if (task.options().retry().delayBefore(1, 1).isPositive()) {
                beginning.put(key + "#delay", "null");
            } else {
                again = true;
            }
            return new Pending();
        }
        return result;
    }

    private static boolean isTrue(Template condition, Env env, JsonValue tolerated) {
        env.error = tolerated.members().get("error");
        Resolution resolution = condition.resolve(env, FlowLimits.PAYLOAD_BYTES_MAX_DEFAULT);
        env.error = null;
        return resolution instanceof Resolution.Resolved resolved
                && resolved.value().isTruthy();
    }

    private Result job(String key, Template jobInput, Env env) {
        return job(key, jobInput, Optional.empty(), env);
    }

    private Result job(String key, Template jobInput, Optional<StepAction.Limit> limit, Env env) {
        Outcome outcome = outcomes.get(key);
        if (outcome == null) {
            if (live.contains(key) || env.blocked) {
                passedOver |= !live.contains(key);
                return new Pending();
            }
            Result resolved = resolve(jobInput, env, key);
            if (resolved instanceof Done input) {
                Result limitKey =
                        limit.map(present -> limitKey(present, env, key)).orElse(new Done(NO_LIMIT));
                if (limitKey instanceof Done text) {
                    beginning.put(key, input.value() + text.value().string());
                    return new Pending();
                }
                return limitKey;
            }
            return resolved;
        }
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> new Done(JsonValue.of(succeeded.result()));
            case Outcome.Skipped skipped -> new Done(JsonValue.of(skipped.result()));
            case Outcome.Failed failed -> new Failing(key, failed.error(), false, true);
            case Outcome.Canceled canceled -> new Failing(key, canceled.reason(), true, true);
        };
    }

    private Result limitKey(StepAction.Limit limit, Env env, String key) {
        Template template = limit.key().orElse(DEFAULT_LIMIT_KEY);
        if (!(resolve(template, env, key) instanceof Done done)) {
            return own(key);
        }
        String text = done.value().kind() == JsonValue.Kind.STRING
                ? done.value().string()
                : done.value().toString();
        return text.isEmpty() || text.length() > JobLimit.KEY_LENGTH_MAX
                ? own(key)
                : new Done(JsonValue.ofString(" limited by " + text));
    }

    private Result container(Step step, String key, Env env) {
        Optional<Result> delay = delay(key);
        if (delay.isPresent()) {
            return delay.get();
        }
        if (!env.mayBegin(key)) {
            return new Pending();
        }
        Result result = inside(step, key, env);
        if (outcomes.containsKey(key + LIMIT)) {
            // Containers inside may have come to a tolerated end by this, which shows outside.
            ambiguous |= step.policy().onFailure() != OnFailure.FAIL;
            return new Failing(key, TIMED_OUT, false, true);
        }
        Result ended = ended(step, key, env, result);
        if (isLimited(step)) {
            if (!(ended instanceof Pending)) {
                beginning.remove(key + LIMIT);
            } else if (!env.blocked && !limited.contains(key)) {
                limited.add(key);
                beginning.put(key + LIMIT, "null");
            }
        }
        return ended;
    }

    private Result inside(Step step, String key, Env env) {
        return switch (step.action()) {
            case StepAction.Hooked hooked -> hooked(hooked, key, env);
            case StepAction.ForEach loop -> forEach(loop, key, env);
            case StepAction.While loop -> repeat(loop, key, env);
            case StepAction.Parallel parallel -> parallel(step.id(), parallel, key, env);
            case StepAction.Switch choice -> choice(step.id(), choice, key, env);
            case StepAction.SubFlow sub -> subFlow(subFlows.get(sub.path()), sub.input(), key, env);
            case StepAction.InlineFlow sub -> subFlow(sub.flow(), sub.input(), key, env);
            case StepAction.Task _,
                    StepAction.StartRun _,
                    StepAction.Wait _,
                    StepAction.Compute _,
                    StepAction.SetVariables _,
                    StepAction.Terminate _ -> throw new AssertionError("no container");
        };
    }

    private Result ended(Step step, String key, Env env, Result result) {
        if (result instanceof Done && !env.mayBegin(key + "#done")) {
            return new Pending();
        }
        RetryPolicy retry = step.action() instanceof StepAction.Hooked hooked
                ? hooked.run().options().retry()
                : step.policy().retry();
        int retries = retry.retriesMax();
        boolean counts = step.policy().onFailure() == OnFailure.FAIL;
        if (!(result instanceof Failing failing)
                || (failing.direct() && failing.key().equals(key))
                || (counts && retries == 0 && !(step.action() instanceof StepAction.Hooked))) {
            return result;
        }
        if (end("C", key, failing) instanceof Pending pending) {
            return pending;
        }
        if (!env.mayBegin(key + "#done")) {
            return new Pending();
        }
        if (resets.getOrDefault(key, 0) < retries && beginsAgain(step, key, env, failing)) {
            resets.merge(key, 1, Integer::sum);
            attempted.put(key, error(failing));
            forget(key);
            if (retry.delayBefore(1, 1).isPositive()) {
                beginning.put(key + "#delay", "null");
            } else {
                again = true;
            }
            return new Pending();
        }
        if (step.id().equals(HandledFlow.STEPS)) {
            return failing;
        }
        counts &= failing.canceled() || !failing.key().equals(key + "." + HookedTask.RUN);
        String what = failing.canceled() ? "\" was cancelled: " : "\" failed: ";
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

    private static boolean beginsAgain(Step step, String key, Env env, Failing failing) {
        return !(step.action() instanceof StepAction.Hooked)
                || (failing.error().retryable()
                        && !failing.canceled()
                        && !failing.key().equals(key + "." + HookedTask.AFTER)
                        && step.policy()
                                .retryIf()
                                .map(condition -> isTrue(condition, env, tolerated(failing, lastId(failing.key()))))
                                .orElse(true));
    }

    private static JsonValue error(Failing failing) {
        return requireNonNull(
                tolerated(failing, lastId(failing.key())).members().get("error"));
    }

    private void forget(String key) {
        outcomes.keySet().removeIf(inner -> isInside(inner, key));
        begun.removeIf(inner -> isInside(inner, key));
        begun.remove(key + "#done");
        ending.removeIf(
                frame -> frame.equals("C" + key) || frame.equals("L" + key) || isInside(frame.substring(1), key));
        resets.keySet().removeIf(inner -> isInside(inner, key));
        limited.removeIf(inner -> isInside(inner, key));
    }

    private Result forEach(StepAction.ForEach loop, String key, Env env) {
        Result items = resolve(loop.items(), env, key);
        if (!(items instanceof Done done)) {
            return items;
        }
        if (done.value().kind() != JsonValue.Kind.ARRAY) {
            return own(key);
        }
        List<JsonValue> results = new ArrayList<>();
        Map<Integer, Failing> failures = new HashMap<>();
        int inProgress = 0;
        for (int i = 0; i < done.value().elements().size() && inProgress < loop.parallelism(); i++) {
            Env inner = new Env(
                    loop.body(),
                    env,
                    key + "[" + i + "]",
                    done.value().elements().get(i),
                    i,
                    env.inputs);
            if (!inner.mayBegin(inner.prefix) && !isBegun(inner.prefix)) {
                inProgress++;
                break;
            }
            Step first = loop.single() ? loop.body().steps().getFirst() : null;
            Result result = first != null && !(first.action() instanceof StepAction.Hooked)
                    ? single(first, inner, loop.options())
                    : iteration(inner, loop.options());
            if (result instanceof Done ended) {
                results.add(ended.value());
                if (breaks(loop.options(), inner, ended.value(), failures, i)) {
                    break;
                }
            } else if (result instanceof Leaving leaving) {
                results.add(leaving.value());
                break;
            } else {
                inProgress++;
                if (result instanceof Failing failing) {
                    failures.put(i, failing);
                }
            }
        }
        if (!failures.isEmpty()) {
            return first(failures);
        }
        return inProgress > 0 ? new Pending() : gather(results, loop.options(), env, key);
    }

    private boolean isBegun(String prefix) {
        return live.contains(prefix)
                || outcomes.containsKey(prefix)
                || live.stream().anyMatch(key -> isInside(key, prefix))
                || outcomes.keySet().stream().anyMatch(key -> isInside(key, prefix));
    }

    private Result single(Step step, Env env, StepAction.LoopOptions options) {
        Result result = step(step, env.prefix, env);
        return result instanceof Failing failing && options.skipFailures()
                ? new Done(tolerated(failing, step.id()))
                : result;
    }

    private Result iteration(Env env, StepAction.LoopOptions options) {
        Result result = list(env, env.prefix);
        if (result instanceof Leaving leaving) {
            return end("L", env.prefix, leaving);
        }
        if (result instanceof Failing failing && options.skipFailures()) {
            JsonValue kept = tolerated(failing, lastId(failing.key()));
            return end("L", env.prefix, env.leaves ? new Leaving(kept) : new Done(kept));
        }
        return result;
    }

    private boolean breaks(
            StepAction.LoopOptions options, Env env, JsonValue last, Map<Integer, Failing> failures, int iteration) {
        if (options.breakIf().isEmpty()) {
            return false;
        }
        env.last = last;
        Result when = resolve(options.breakIf().get(), env, env.prefix);
        env.last = null;
        if (when instanceof Failing failing) {
            failures.put(iteration, new Failing(failing.key(), failing.error(), false, false));
            return true;
        }
        return when instanceof Done done && done.value().isTruthy();
    }

    private Result gather(List<JsonValue> results, StepAction.LoopOptions options, Env env, String key) {
        int from = options.keepLast().isPresent()
                ? Math.max(0, results.size() - options.keepLast().getAsInt())
                : 0;
        if (options.key().isEmpty()) {
            StringBuilder text = new StringBuilder("[");
            for (int i = from; i < results.size(); i++) {
                text.append(i == from ? "" : ",").append(results.get(i));
            }
            return new Done(JsonValue.of(text + "]"));
        }
        Map<String, JsonValue> named = new LinkedHashMap<>();
        for (int i = from; i < results.size(); i++) {
            Env inner = new Env(StepList.EMPTY, env, key + "[" + i + "]", JsonValue.NULL, i, env.inputs);
            Result name = resolve(options.key().get(), inner, key);
            if (!(name instanceof Done done)) {
                return name;
            }
            named.put(
                    done.value().kind() == JsonValue.Kind.STRING
                            ? done.value().string()
                            : done.value().toString(),
                    results.get(i));
        }
        StringBuilder text = new StringBuilder("{");
        named.forEach((name, value) -> text.append(text.length() == 1 ? "" : ",")
                .append(JsonValue.ofString(name))
                .append(':')
                .append(value));
        return new Done(JsonValue.of(text + "}"));
    }

    private Result repeat(StepAction.While loop, String key, Env env) {
        List<JsonValue> results = new ArrayList<>();
        JsonValue last = JsonValue.NULL;
        Env condition = new Env(loop.body(), env, key + "[0]", JsonValue.NULL, 0, env.inputs);
        boolean look = loop.conditionFirst();
        for (int i = 0; ; i++) {
            if (look) {
                if ((env.blocked || ending.contains("C" + key)) && !begun.contains(key + "[" + i + "]#condition")) {
                    return new Pending();
                }
                begun.add(key + "[" + i + "]#condition");
                condition.last = last;
                Result when = resolve(loop.condition(), condition, key);
                condition.last = null;
                if (when instanceof Failing) {
                    return when;
                }
                if (when instanceof Done done && !done.value().isTruthy()) {
                    return gather(results, loop.options(), env, key);
                }
                if (i == loop.iterationsMax()) {
                    return own(key);
                }
            }
            look = true;
            Env inner = new Env(loop.body(), env, key + "[" + i + "]", last, i, env.inputs);
            if (!inner.mayBegin(inner.prefix)) {
                return new Pending();
            }
            Result result = iteration(inner, loop.options());
            if (result instanceof Leaving leaving) {
                results.add(leaving.value());
                return gather(results, loop.options(), env, key);
            }
            if (!(result instanceof Done done)) {
                return result;
            }
            results.add(done.value());
            Map<Integer, Failing> failures = new HashMap<>();
            boolean broken = breaks(loop.options(), inner, done.value(), failures, i);
            if (!failures.isEmpty()) {
                return first(failures);
            }
            if (broken) {
                return gather(results, loop.options(), env, key);
            }
            last = done.value();
            condition = inner;
        }
    }

    private Result parallel(String id, StepAction.Parallel parallel, String key, Env env) {
        Map<String, JsonValue> results = new LinkedHashMap<>();
        Map<Integer, Failing> failures = new HashMap<>();
        Map<Integer, JsonValue> leaves = new HashMap<>();
        List<Env> inside = new ArrayList<>();
        env.inside.put(id, inside);
        int inProgress = 0;
        for (int i = 0; i < parallel.branches().size() && inProgress < parallel.parallelism(); i++) {
            StepAction.Branch branch = parallel.branches().get(i);
            Env inner = new Env(branch.steps(), env, key + "[" + i + "]", null, -1, env.inputs);
            if (!inner.mayBegin(inner.prefix) && !isBegun(inner.prefix)) {
                inProgress++;
                break;
            }
            inside.add(inner);
            Result result = list(inner, inner.prefix);
            if (result instanceof Failing failing && branch.skipFailure()) {
                result = end("L", inner.prefix, new Done(tolerated(failing, lastId(failing.key()))));
            }
            if (result instanceof Done done) {
                results.put(branch.name().isEmpty() ? "" + i : branch.name(), done.value());
            } else {
                inProgress++;
                if (result instanceof Failing failing) {
                    failures.put(i, failing);
                } else if (result instanceof Leaving leaving) {
                    leaves.put(i, leaving.value());
                }
            }
        }
        if (!failures.isEmpty()) {
            ambiguous |= !leaves.isEmpty();
            return first(failures);
        }
        if (!leaves.isEmpty()) {
            return new Leaving(first(leaves));
        }
        if (inProgress > 0) {
            return new Pending();
        }
        if (parallel.branches().stream().allMatch(branch -> branch.name().isEmpty())) {
            return gather(List.copyOf(results.values()), StepAction.LoopOptions.DEFAULT, env, key);
        }
        StringBuilder text = new StringBuilder("{");
        results.forEach((name, value) -> text.append(text.length() == 1 ? "" : ",")
                .append(JsonValue.ofString(name))
                .append(':')
                .append(value));
        return new Done(JsonValue.of(text + "}"));
    }

    private Result choice(String id, StepAction.Switch choice, String key, Env env) {
        Result value = choice.value().isPresent() ? resolve(choice.value().get(), env, key) : new Done(JsonValue.NULL);
        if (!(value instanceof Done known)) {
            return value;
        }
        for (StepAction.Case branch : choice.cases()) {
            Result test = switch (branch.test()) {
                case StepAction.Test.Equals equals -> resolve(equals.expected(), env, key);
                case StepAction.Test.When when -> resolve(when.condition(), env, key);
            };
            if (!(test instanceof Done done)) {
                return test;
            }
            boolean taken = branch.test() instanceof StepAction.Test.When
                    ? done.value().isTruthy()
                    : done.value().sameAs(known.value());
            if (taken) {
                return branch(id, branch.steps(), key, env);
            }
        }
        return choice.otherwise().isPresent()
                ? branch(id, choice.otherwise().get(), key, env)
                : new Done(JsonValue.NULL);
    }

    private Result branch(String id, StepList branch, String key, Env env) {
        Env inner = new Env(branch, env, key, null, -1, env.inputs);
        env.inside.put(id, List.of(inner));
        return list(inner, key);
    }

    /** A block like any other, but for what its steps see. */
    private Result hooked(StepAction.Hooked hooked, String key, Env env) {
        Env inner = new Env(HookedTask.block(hooked).otherwise().orElseThrow(), env, key, null, -1, env.inputs);
        inner.retry = resets.getOrDefault(key, 0);
        inner.attempted = attempted.get(key);
        return list(inner, key);
    }

    private boolean isLimited(Step step) {
        Optional<FlowDefinition> flow = switch (step.action()) {
            case StepAction.SubFlow sub -> Optional.ofNullable(subFlows.get(sub.path()));
            case StepAction.InlineFlow sub -> Optional.of(sub.flow());
            default -> Optional.empty();
        };
        return step.policy().timeout().isPresent()
                || flow.flatMap(inner -> inner.options().timeout()).isPresent();
    }

    private Result subFlow(@Nullable FlowDefinition flow, Template input, String key, Env env) {
        FlowDefinition inner = flow == null ? null : HandledFlow.of(flow);
        Result given = resolve(input, env, key);
        if (!(given instanceof Done done)) {
            return given;
        }
        if (inner == null || done.value().kind() != JsonValue.Kind.OBJECT) {
            return own(key);
        }
        Result result = list(
                new Env(
                        inner.steps(),
                        env,
                        key,
                        null,
                        -1,
                        JsonValue.of(done.value().toString())),
                key);
        return result instanceof Leaving leaving ? end("L", key, new Done(leaving.value())) : result;
    }

    private static JsonValue tolerated(Failing failing, String stepId) {
        JobError error = failing.error();
        return JsonValue.of("{\"error\":{\"name\":" + JsonValue.ofString(error.name()) + ",\"message\":"
                + JsonValue.ofString(error.message()) + ",\"stack\":" + JsonValue.ofString(error.stack())
                + ",\"step_id\":" + JsonValue.ofString(stepId) + "}}");
    }

    private static String lastId(String key) {
        String id = key.substring(key.lastIndexOf('.') + 1);
        if (id.startsWith("~")) {
            return lastId(key.substring(0, key.lastIndexOf('.')));
        }
        return id.contains("[") ? id.substring(0, id.indexOf('[')) : id;
    }

    private Result resolve(Template template, Env env, String key) {
        return switch (template.resolve(env, FlowLimits.PAYLOAD_BYTES_MAX_DEFAULT)) {
            case Resolution.Resolved resolved -> new Done(resolved.value());
            case Resolution.Unresolved _ -> own(key);
        };
    }

    /** A failure that the engine itself finds; in what order it finds several, and in what words, is its own business. */
    private Failing own(String key) {
        ambiguous = true;
        return new Failing(key, OWN, false, true);
    }
}
