package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.graph.HandledFlow;
import dev.millrace.scheduler.flow.core.graph.HookedStep;
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
import org.jspecify.annotations.Nullable;

/** Branches, sub-flows and hooked steps in the reference interpreter. */
final class ReferenceBranches {
    private final ReferenceMemory memory;
    private final ReferenceLists lists;

    ReferenceBranches(ReferenceMemory memory, ReferenceLists lists) {
        this.memory = memory;
        this.lists = lists;
    }

    ReferenceResult parallel(String id, StepAction.Parallel parallel, String key, ReferenceEnv env) {
        memory.broken.remove(key);
        Map<String, JsonValue> results = new LinkedHashMap<>();
        Map<Integer, Failing> failures = new HashMap<>();
        Map<Integer, JsonValue> leaves = new HashMap<>();
        List<ReferenceEnv> inside = new ArrayList<>();
        env.inside.put(id, inside);
        int inProgress = 0;
        for (int i = 0; i < parallel.branches().size() && inProgress < parallel.parallelism(); i++) {
            StepAction.Branch branch = parallel.branches().get(i);
            ReferenceEnv inner = env.branch(branch.steps(), key + "[" + i + "]");
            if (!inner.mayBegin(inner.prefix) && !memory.isBegun(inner.prefix)) {
                inProgress++;
                break;
            }
            inside.add(inner);
            ReferenceResult result = lists.walk(inner, inner.prefix);
            if (result instanceof Failing failing && branch.skipFailure()) {
                result = memory.end("L", inner.prefix, new Done(failing.tolerated()));
            } else if (result instanceof Closing closing) {
                result = memory.end("L", inner.prefix, new Done(closing.value()));
            }
            if (result instanceof Done done) {
                results.put(branch.name().isEmpty() ? "" + i : branch.name(), done.value());
                if (inner.leaves) {
                    memory.broken.add(key);
                    break;
                }
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
            memory.ambiguous |= !leaves.isEmpty();
            return ReferenceLists.first(failures);
        }
        if (!leaves.isEmpty()) {
            return new Leaving(ReferenceLists.first(leaves));
        }
        if (inProgress > 0) {
            return new Pending();
        }
        if (parallel.branches().stream().allMatch(branch -> branch.name().isEmpty())) {
            return ReferenceLoops.gather(List.copyOf(results.values()), LoopOptions.DEFAULT, env, key);
        }
        StringBuilder text = new StringBuilder("{");
        results.forEach((name, value) -> text.append(text.length() == 1 ? "" : ",")
                .append(JsonValue.ofString(name))
                .append(':')
                .append(value));
        return new Done(JsonValue.of(text + "}"));
    }

    ReferenceResult choice(String id, StepAction.Switch choice, String key, ReferenceEnv env) {
        ReferenceResult value =
                choice.value().isPresent() ? env.resolve(choice.value().get(), key) : new Done(JsonValue.NULL);
        if (!(value instanceof Done known)) {
            return value;
        }
        for (StepAction.Case branch : choice.cases()) {
            ReferenceResult test = switch (branch.test()) {
                case StepAction.Test.Equals equals -> env.resolve(equals.expected(), key);
                case StepAction.Test.When when -> env.resolve(when.condition(), key);
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

    private ReferenceResult branch(String id, StepList branch, String key, ReferenceEnv env) {
        ReferenceEnv inner = env.branch(branch, key);
        env.inside.put(id, List.of(inner));
        return lists.walk(inner, key);
    }

    /** Walks a hooked step as a block whose steps can also read the retry. */
    ReferenceResult hooked(String id, StepAction.Hooked hooked, String key, ReferenceEnv env) {
        ReferenceEnv inner = env.branch(HookedStep.block(hooked).otherwise().orElseThrow(), key);
        env.inside.put(id, List.of(inner));
        inner.retry = memory.resets.getOrDefault(key, 0);
        inner.attempted = memory.attempted.get(key);
        return lists.walk(inner, key);
    }

    ReferenceResult subFlow(@Nullable FlowDefinition flow, Template input, String key, ReferenceEnv env) {
        FlowDefinition inner = flow == null ? null : HandledFlow.of(flow);
        ReferenceResult given = env.resolve(input, key);
        if (!(given instanceof Done done)) {
            return given;
        }
        if (inner == null || done.value().kind() != JsonValue.Kind.OBJECT) {
            return memory.own(key);
        }
        ReferenceResult result = lists.walk(
                env.subFlow(inner.steps(), key, JsonValue.of(done.value().toString())), key);
        return result instanceof Leaving leaving ? memory.end("L", key, new Done(leaving.value())) : result;
    }
}
