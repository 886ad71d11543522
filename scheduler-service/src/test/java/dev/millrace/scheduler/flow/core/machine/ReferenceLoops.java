package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.LoopSoFar;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Closing;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Done;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Failing;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Leaving;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Pending;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Loops in the reference interpreter. */
final class ReferenceLoops {
    private final ReferenceMemory memory;
    private final ReferenceLists lists;
    private final ReferenceSteps steps;

    ReferenceLoops(ReferenceMemory memory, ReferenceLists lists, ReferenceSteps steps) {
        this.memory = memory;
        this.lists = lists;
        this.steps = steps;
    }

    ReferenceResult forEach(StepAction.ForEach loop, String key, ReferenceEnv env) {
        ReferenceResult items = env.resolve(loop.items(), key);
        if (!(items instanceof Done done)) {
            return items;
        }
        if (done.value().kind() != JsonValue.Kind.ARRAY) {
            return memory.own(key);
        }
        int parallelism = loop.parallelism();
        if (loop.computedParallelism().isPresent() && !done.value().elements().isEmpty()) {
            if (!(env.resolve(loop.computedParallelism().get(), key) instanceof Done(JsonValue value))
                    || !value.isWhole()
                    || value.toString().startsWith("-")
                    || value.toString().equals("0")) {
                return memory.own(key);
            }
            parallelism = Math.min(parallelism, (int) Double.parseDouble(value.toString()));
        }
        List<JsonValue> results = new ArrayList<>();
        Map<Integer, JsonValue> soFar = new HashMap<>();
        Map<Integer, Failing> failures = new HashMap<>();
        int inProgress = 0;
        for (int i = 0; i < done.value().elements().size() && inProgress < parallelism; i++) {
            ReferenceEnv inner =
                    env.iteration(loop.body(), key, i, done.value().elements().get(i));
            if (!inner.mayBegin(inner.prefix) && !memory.isBegun(inner.prefix)) {
                inProgress++;
                break;
            }
            Step first = loop.single() ? loop.body().steps().getFirst() : null;
            ReferenceResult result = first != null && !(first.action() instanceof StepAction.Hooked)
                    ? single(first, inner, loop.options())
                    : iteration(inner, loop.options());
            if (result instanceof Done ended) {
                results.add(ended.value());
                soFar.put(i, ended.value());
                if (breaks(loop.options(), inner, results, failures, i)) {
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
            return ReferenceLists.first(failures);
        }
        if (inProgress == 0) {
            return gather(results, loop.options(), env, key);
        }
        if (!memory.ending.contains("C" + key)) {
            String id = key.substring(env.prefix.isEmpty() ? 0 : env.prefix.length() + 1);
            env.loops.put(id, new LoopSoFar(done.value().elements(), soFar));
        }
        return new Pending();
    }

    private ReferenceResult single(Step step, ReferenceEnv env, LoopOptions options) {
        ReferenceResult result = steps.walk(step, env.prefix, env);
        return result instanceof Failing failing && env.isTrue(options.skipFailures())
                ? new Done(failing.tolerated(step.id()))
                : result;
    }

    private ReferenceResult iteration(ReferenceEnv env, LoopOptions options) {
        ReferenceResult result = lists.walk(env, env.prefix);
        if (!(result instanceof Pending)) {
            env.leaveAll();
        }
        if (result instanceof Leaving leaving) {
            return memory.end("L", env.prefix, leaving);
        }
        if (result instanceof Closing(JsonValue value, boolean breaks)) {
            return memory.end("L", env.prefix, breaks ? new Leaving(value) : new Done(value));
        }
        if (result instanceof Failing failing && env.isTrue(options.skipFailures())) {
            JsonValue kept = failing.tolerated();
            return memory.end("L", env.prefix, env.leaves ? new Leaving(kept) : new Done(kept));
        }
        return result;
    }

    private boolean breaks(
            LoopOptions options,
            ReferenceEnv env,
            List<JsonValue> results,
            Map<Integer, Failing> failures,
            int iteration) {
        if (options.breakIf().isEmpty()) {
            return false;
        }
        env.last = results.getLast();
        env.soFar = array(results, options);
        ReferenceResult when = env.resolve(options.breakIf().get(), env.prefix);
        env.last = null;
        env.soFar = null;
        if (when instanceof Failing failing) {
            failures.put(iteration, new Failing(failing.key(), failing.error(), false, false));
            return true;
        }
        return when instanceof Done done && done.value().isTruthy();
    }

    static ReferenceResult gather(List<JsonValue> results, LoopOptions options, ReferenceEnv env, String key) {
        if (options.key().isEmpty()) {
            return new Done(array(results, options));
        }
        Map<String, JsonValue> named = new LinkedHashMap<>();
        for (int i = firstKept(results, options); i < results.size(); i++) {
            ReferenceEnv inner = env.iteration(StepList.EMPTY, key, i, JsonValue.NULL);
            ReferenceResult name = inner.resolve(options.key().get(), key);
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

    private static int firstKept(List<JsonValue> results, LoopOptions options) {
        return options.keepLast().isPresent()
                ? Math.max(0, results.size() - options.keepLast().getAsInt())
                : 0;
    }

    private static JsonValue array(List<JsonValue> results, LoopOptions options) {
        int from = firstKept(results, options);
        StringBuilder text = new StringBuilder("[");
        for (int i = from; i < results.size(); i++) {
            text.append(i == from ? "" : ",").append(results.get(i));
        }
        return JsonValue.of(text + "]");
    }

    ReferenceResult repeat(StepAction.While loop, String key, ReferenceEnv env) {
        List<JsonValue> results = new ArrayList<>();
        JsonValue last = JsonValue.NULL;
        ReferenceEnv condition = env.iteration(loop.body(), key, 0, JsonValue.NULL);
        boolean look = loop.conditionFirst();
        for (int i = 0; ; i++) {
            if (look) {
                if ((env.blocked || memory.ending.contains("C" + key))
                        && !memory.begun.contains(key + "[" + i + "]#condition")) {
                    return new Pending();
                }
                memory.begun.add(key + "[" + i + "]#condition");
                condition.last = last;
                ReferenceResult when = condition.resolve(loop.condition(), key);
                condition.last = null;
                if (when instanceof Failing) {
                    return when;
                }
                if (when instanceof Done done && !done.value().isTruthy()) {
                    return gather(results, loop.options(), env, key);
                }
                if (i == loop.iterationsMax()) {
                    return memory.own(key);
                }
            }
            look = true;
            ReferenceEnv inner = env.iteration(loop.body(), key, i, last);
            if (!inner.mayBegin(inner.prefix)) {
                return new Pending();
            }
            ReferenceResult result = iteration(inner, loop.options());
            if (result instanceof Leaving leaving) {
                results.add(leaving.value());
                return gather(results, loop.options(), env, key);
            }
            if (!(result instanceof Done done)) {
                return result;
            }
            results.add(done.value());
            Map<Integer, Failing> failures = new HashMap<>();
            boolean broken = breaks(loop.options(), inner, results, failures, i);
            if (!failures.isEmpty()) {
                return ReferenceLists.first(failures);
            }
            if (broken) {
                return gather(results, loop.options(), env, key);
            }
            last = done.value();
            condition = inner;
        }
    }
}
