package dev.millrace.scheduler.flow.core.machine;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.core.graph.HandledFlow;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Closing;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Done;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Failing;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Leaving;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Pending;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lists of steps in the reference interpreter. */
final class ReferenceLists {
    private final ReferenceMemory memory;
    private final ReferenceSteps steps;

    ReferenceLists(ReferenceMemory memory, Map<String, FlowDefinition> subFlows) {
        this.memory = memory;
        this.steps = new ReferenceSteps(memory, this, subFlows);
    }

    /** Walks a list until nothing more happens. */
    ReferenceResult walk(ReferenceEnv env, String owner) {
        Map<Integer, Failing> failures = new HashMap<>();
        Map<Integer, Failing> atEnd = new HashMap<>();
        Map<Integer, JsonValue> stops = new HashMap<>();
        Map<Integer, JsonValue> leaves = new HashMap<>();
        Map<Integer, Closing> closes = new HashMap<>();
        Set<String> walked = new HashSet<>();
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int i = 0; i < env.list.steps().size(); i++) {
                Step step = env.list.steps().get(i);
                String key = env.prefix.isEmpty() ? step.id() : env.prefix + "." + step.id();
                boolean isReady = memory.early.hasBegun(step, key, env)
                        || env.results.keySet().containsAll(step.needs());
                if (walked.contains(step.id()) || !isReady) {
                    continue;
                }
                walked.add(step.id());
                moved = true;
                ReferenceResult result = steps.walk(step, key, env);
                if (result instanceof Failing failing && step.policy().onFailure() != OnFailure.FAIL) {
                    if (step.policy().onFailure() == OnFailure.FAIL_AT_END) {
                        atEnd.put(i, failing);
                    }
                    env.leave(step.id());
                    if (step.id().equals(HandledFlow.STEPS)) {
                        env.failed = failing.seen();
                    }
                    env.results.put(step.id(), failing.tolerated(step.id()));
                } else if (result instanceof Failing failing) {
                    // If the list is an iteration whose failure is skipped, its loop evaluates its conditions next.
                    env.leave(step.id());
                    failures.put(i, failing);
                } else if (result instanceof Leaving leaving) {
                    leaves.put(i, leaving.value());
                } else if (result instanceof Closing closing) {
                    closes.put(i, closing);
                } else if (result instanceof Done done) {
                    stop(step, key, env, done.value(), i, failures, stops, leaves, closes);
                    env.leave(step.id());
                    env.results.put(step.id(), done.value());
                }
                env.blocked |= !failures.isEmpty() || !leaves.isEmpty() || !stops.isEmpty() || !closes.isEmpty();
            }
        }
        // The engine decides which of several early ends counts, and what happens to the others.
        memory.ambiguous |= !closes.isEmpty() && !(failures.isEmpty() && leaves.isEmpty() && stops.isEmpty());
        if (!failures.isEmpty()) {
            // If something around tolerates the failure, the loop ends all the same, with a result that is lost here.
            memory.ambiguous |= !leaves.isEmpty();
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
        if (!closes.isEmpty()) {
            return !atEnd.isEmpty() && env.isBranch() ? first(atEnd) : first(closes);
        }
        if (!leaves.isEmpty()) {
            // If an iteration ends early and also ends its loop, its result is that of the step that comes first.
            boolean stoppedFirst = !stops.isEmpty()
                    && env.iteration(0) == env
                    && Collections.min(stops.keySet()) < Collections.min(leaves.keySet());
            return new Leaving(first(stoppedFirst ? stops : leaves));
        }
        if (!stops.isEmpty()) {
            return memory.end("L", env.prefix, new Done(first(stops)));
        }
        if (!complete) {
            return new Pending();
        }
        return output(env, owner);
    }

    static <T> T first(Map<Integer, T> all) {
        return requireNonNull(all.get(Collections.min(all.keySet())));
    }

    private void stop(
            Step step,
            String key,
            ReferenceEnv env,
            JsonValue last,
            int position,
            Map<Integer, Failing> failures,
            Map<Integer, JsonValue> stops,
            Map<Integer, JsonValue> leaves,
            Map<Integer, Closing> closes) {
        if (memory.broken.contains(key)
                && step.action() instanceof StepAction.Parallel parallel
                && parallel.stopped().isPresent()) {
            end(parallel.stopped().get(), key, env, last, position, stops, leaves, closes);
            return;
        }
        if (memory.outcomes.get(key) instanceof Outcome.Skipped || memory.begun.contains(key + "#skipped")) {
            return;
        }
        env.last = last;
        for (StepPolicy.Stop stop : step.policy().stops()) {
            ReferenceResult when = env.resolve(stop.when(), key);
            if (when instanceof Failing failing) {
                failures.put(position, failing);
                break;
            }
            if (when instanceof Done done && done.value().isTruthy()) {
                if (stop.failure().isPresent()) {
                    memory.stopped.add(key);
                    failures.put(position, memory.own(key));
                } else {
                    end(stop.extent(), key, env, last, position, stops, leaves, closes);
                }
                break;
            }
        }
        env.last = null;
    }

    private void end(
            StepPolicy.Extent extent,
            String key,
            ReferenceEnv env,
            JsonValue last,
            int position,
            Map<Integer, JsonValue> stops,
            Map<Integer, JsonValue> leaves,
            Map<Integer, Closing> closes) {
        memory.stopped.add(key);
        switch (extent) {
            case LIST -> stops.put(position, last);
            case BRANCH -> closes.put(position, new Closing(last, false));
            case BRANCHES -> {
                closes.put(position, new Closing(last, true));
                env.branchAround().leaves = true;
            }
            case LOOP, RUN -> {
                leaves.put(position, last);
                ReferenceEnv around = env.iteration(0);
                if (around != null) {
                    around.leaves = true;
                }
            }
        }
    }

    private ReferenceResult output(ReferenceEnv env, String owner) {
        if (env.list.output().isPresent()) {
            return env.resolve(env.list.output().get(), owner);
        }
        List<Step> steps = env.list.steps();
        return new Done(
                steps.isEmpty()
                        ? JsonValue.NULL
                        : env.stepResult(steps.getLast().id()));
    }
}
