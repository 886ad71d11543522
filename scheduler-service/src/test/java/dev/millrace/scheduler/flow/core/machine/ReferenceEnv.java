package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.LoopSoFar;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.graph.HookedStep;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Done;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The scope of one list during a walk of the reference interpreter. */
final class ReferenceEnv implements Scope {
    private final ReferenceMemory memory;
    final StepList list;
    final @Nullable ReferenceEnv outer;
    final String prefix;
    final @Nullable JsonValue item;
    final int index;
    final JsonValue inputs;
    boolean blocked;
    final Map<String, JsonValue> results = new HashMap<>();
    final Map<String, JsonValue> left = new HashMap<>();
    /** Loops over items that are in progress. */
    final Map<String, LoopSoFar> loops = new HashMap<>();

    final Map<String, List<ReferenceEnv>> inside = new HashMap<>();

    @Nullable JsonValue last;

    /** The results of the iterations so far, while the loop's break condition is evaluated. */
    @Nullable JsonValue soFar;

    @Nullable JsonValue error;

    /** For hooks: the number of the retry; {@link #attempted} is the error of the previous attempt. */
    int retry;

    @Nullable JsonValue attempted;

    /** The failure of the flow, while its failure steps run. */
    @Nullable JsonValue failed;
    /** Whether a step inside has asked that no further sibling iteration or branch begin. */
    boolean leaves;

    private ReferenceEnv(
            ReferenceMemory memory,
            StepList list,
            @Nullable ReferenceEnv outer,
            String prefix,
            @Nullable JsonValue item,
            int index,
            JsonValue inputs) {
        this.memory = memory;
        this.list = list;
        this.outer = outer;
        this.prefix = prefix;
        this.item = item;
        this.index = index;
        this.inputs = inputs;
        this.blocked = (outer != null && outer.blocked)
                || memory.ending.contains("L" + prefix)
                || (!prefix.isEmpty() && memory.ending.contains("C" + container(prefix)));
    }

    /** Creates the scope of the steps of a flow, or of its failure steps. */
    static ReferenceEnv ofFlow(ReferenceMemory memory, StepList list, String prefix, JsonValue inputs) {
        return new ReferenceEnv(memory, list, null, prefix, null, -1, inputs);
    }

    ReferenceEnv branch(StepList steps, String key) {
        return new ReferenceEnv(memory, steps, this, key, null, -1, inputs);
    }

    ReferenceEnv iteration(StepList body, String loop, int i, JsonValue value) {
        return new ReferenceEnv(memory, body, this, loop + "[" + i + "]", value, i, inputs);
    }

    ReferenceEnv subFlow(StepList steps, String key, JsonValue given) {
        return new ReferenceEnv(memory, steps, this, key, null, -1, given);
    }

    /** Returns whether something around the list has ended early, in this walk or before. */
    boolean isBlocked() {
        for (ReferenceEnv env = this; env != null; env = env.outer) {
            if (env.blocked
                    || memory.ending.contains("L" + env.prefix)
                    || (!env.prefix.isEmpty() && memory.ending.contains("C" + container(env.prefix)))) {
                return true;
            }
        }
        return false;
    }

    private static String container(String prefix) {
        return prefix.endsWith("]") ? prefix.substring(0, prefix.lastIndexOf('[')) : prefix;
    }

    boolean mayBegin(String key) {
        if (blocked) {
            memory.passedOver |= !memory.begun.contains(key);
            return memory.begun.contains(key);
        }
        memory.begun.add(key);
        return true;
    }

    /** Lets the failure steps read the results of the flow, including those inside its branches. */
    void see(ReferenceEnv flow) {
        memory.ambiguous |= flow.hasCutOff();
        flow.leaveAll();
        left.putAll(flow.left);
        left.putAll(flow.results);
    }

    /**
     * Returns whether something with a tolerated failure was in progress when the flow failed. In this case, the
     * outcome is visible to the failure steps.
     */
    private boolean hasCutOff() {
        return list.steps().stream()
                        .anyMatch(step -> step.policy().onFailure() != StepPolicy.OnFailure.FAIL
                                && !results.containsKey(step.id())
                                && memory.begun.contains(prefix.isEmpty() ? step.id() : prefix + "." + step.id()))
                || inside.values().stream().flatMap(List::stream).anyMatch(ReferenceEnv::hasCutOff);
    }

    /** Makes the results inside a branch readable after the branch has ended. */
    void leave(String id) {
        for (ReferenceEnv inner : inside.getOrDefault(id, List.of())) {
            inner.leaveAll();
            left.putAll(inner.results);
            left.putAll(inner.left);
        }
    }

    /** Makes the results inside all steps readable when the list ends, whether or not the steps have ended. */
    void leaveAll() {
        Set.copyOf(inside.keySet()).forEach(this::leave);
    }

    @Override
    public JsonValue inputs() {
        return inputs;
    }

    @Override
    public JsonValue stepResult(String id) {
        return findStepResult(id).orElse(JsonValue.NULL);
    }

    /** Finds the result of a step. A sub-flow sees only its own steps and inputs. */
    @SuppressWarnings("ReferenceEquality")
    @Override
    public Optional<JsonValue> findStepResult(String id) {
        JsonValue result = results.getOrDefault(id, left.get(id));
        return result != null || outer == null || outer.inputs != inputs
                ? Optional.ofNullable(result)
                : outer.findStepResult(id);
    }

    @SuppressWarnings("ReferenceEquality")
    @Override
    public Optional<LoopSoFar> findLoop(String id) {
        boolean isHere = list.steps().stream().anyMatch(step -> step.id().equals(id));
        return isHere || outer == null || outer.inputs != inputs
                ? Optional.ofNullable(loops.get(id))
                : outer.findLoop(id);
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
        ReferenceEnv env = iteration(outward);
        return env == null ? Optional.empty() : Optional.ofNullable(env.item);
    }

    @Override
    public int index(int outward) {
        ReferenceEnv env = iteration(outward);
        return env == null ? -1 : env.index;
    }

    /** Returns whether the list is an iteration or a branch of a parallel step. */
    boolean isBranch() {
        return prefix.endsWith("]");
    }

    /**
     * Returns the innermost iteration or parallel branch that is or contains this list; the outermost list if there is
     * none.
     */
    ReferenceEnv branchAround() {
        ReferenceEnv env = this;
        while (!env.isBranch() && env.outer != null) {
            env = env.outer;
        }
        return env;
    }

    /** Returns an enclosing iteration, counted outward from the innermost one. */
    @Nullable ReferenceEnv iteration(int outward) {
        int left = outward;
        for (ReferenceEnv env = this; env != null; env = env.outer) {
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
        return Optional.ofNullable(last == null ? results.get(HookedStep.RUN) : last);
    }

    @Override
    public Optional<JsonValue> resultsSoFar() {
        return Optional.ofNullable(soFar);
    }

    @SuppressWarnings("ReferenceEquality")
    @Override
    public Optional<JsonValue> error() {
        if (attempted != null) {
            return Optional.of(attempted);
        }
        ReferenceEnv level = this;
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

    ReferenceResult resolve(Template template, String key) {
        return switch (template.resolve(this, FlowLimits.PAYLOAD_BYTES_MAX_DEFAULT)) {
            case Resolution.Resolved resolved -> new Done(resolved.value());
            case Resolution.Unresolved _ -> memory.own(key);
        };
    }

    boolean isTrue(Template condition) {
        return condition.resolve(this, FlowLimits.PAYLOAD_BYTES_MAX_DEFAULT) instanceof Resolution.Resolved resolved
                && resolved.value().isTruthy();
    }
}
