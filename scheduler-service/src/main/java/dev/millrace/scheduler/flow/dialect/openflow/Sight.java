package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.javascript.Binding;
import dev.millrace.scheduler.expression.javascript.Names;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.dialect.openflow.StepIndex.Place;
import dev.millrace.scheduler.flow.dialect.openflow.StepIndex.StepsAt;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the expressions of one step see.
 *
 * @param place where the step stands
 * @param flowInput what {@code flow_input} is, the iterations left aside
 * @param previous result of the step before; in the first step of a list, that of the step before its container
 * @param loops the loops around the step, the innermost first
 * @param approval what the wait right before the step leaves to it
 * @param failed whether the flow has failed
 * @param beside what an early stop in the list of the step meets
 */
record Sight(
        Place place,
        Expression flowInput,
        Expression previous,
        List<Loop> loops,
        Optional<Approval> approval,
        boolean failed,
        Beside beside) {
    /** What an early stop in a list meets, branchones around the list left aside. */
    enum Beside {
        /** Nothing beside it: the loop ends, or the flow. */
        NOTHING,
        /** Other iterations or branches: only this one ends. */
        OTHERS,
        /** Branches that run one after the other: the branchall ends, and what is around it. */
        BRANCHES_IN_TURN;

        /** What the stop ends. */
        StepPolicy.Extent extent() {
            return switch (this) {
                case NOTHING -> StepPolicy.Extent.LOOP;
                case OTHERS -> StepPolicy.Extent.BRANCH;
                case BRANCHES_IN_TURN -> StepPolicy.Extent.BRANCHES;
            };
        }
    }

    /**
     * A loop around a step.
     *
     * @param counts whether an iteration is about its number alone, as in a whileloopflow
     * @param carried id of the last step of the body, whose result the next iteration sees; empty where it does not
     */
    record Loop(boolean counts, String carried) {}

    /** What a wait for people leaves to the step after it. */
    record Approval(Expression resume, Expression resumes, Expression approvers) {}

    Sight {
        loops = List.copyOf(loops);
    }

    /** In the first step of a flow. */
    static Sight start(Place place, Expression flowInput) {
        return new Sight(place, flowInput, flowInput, List.of(), Optional.empty(), false, Beside.NOTHING);
    }

    /** The same, but for what {@code flow_input} is. */
    Sight replaceFlowInput(Expression other) {
        return new Sight(place, other, other, loops, approval, failed, beside);
    }

    /** In the first step once the flow has failed. */
    static Sight failure(Place place, Expression flowInput) {
        Template error = Template.object(Map.of("error", new Template.Whole(new Path(new Root.Failure()))));
        return new Sight(place, flowInput, new Composed(error), List.of(), Optional.empty(), true, Beside.NOTHING);
    }

    /** In the step after, given the result of this one. */
    Sight next(Expression result, Optional<Approval> wait) {
        return new Sight(new Place(place.list(), place.position() + 1), flowInput, result, loops, wait, failed, beside);
    }

    /** Past the last step of the list. */
    Sight last() {
        Place end = new Place(place.list(), Integer.MAX_VALUE);
        return new Sight(end, flowInput, previous, loops, Optional.empty(), failed, beside);
    }

    /** In the first step of a list inside the step. */
    Sight inside(StepsAt list, Beside others) {
        return new Sight(new Place(list, 0), flowInput, previous, loops, Optional.empty(), failed, others);
    }

    /** In the first step of the body of a loop. */
    Sight insideLoop(StepsAt list, Loop loop, boolean parallel) {
        List<Loop> inner = Stream.concat(Stream.of(loop), loops.stream()).toList();
        return new Sight(
                new Place(list, 0),
                flowInput,
                previous,
                inner,
                Optional.empty(),
                failed,
                parallel ? Beside.OTHERS : Beside.NOTHING);
    }

    /**
     * The names before the step.
     *
     * @param known ids of the steps that stand before it
     */
    Names before(Set<String> known) {
        Map<String, Binding> names = common();
        names.put("results", results(known));
        names.put("previous_result", new Binding.Value(previous));
        names.put("result", new Binding.Value(previous));
        // Windmill offers it and never fills it.
        names.put("params", new Binding.Value(Composed.constant(JsonValue.EMPTY_OBJECT)));
        if (failed) {
            names.put("error", new Binding.Value(new Path(new Root.Failure())));
        }
        approval.ifPresent(wait -> {
            names.put("resume", new Binding.Value(wait.resume()));
            names.put("resumes", new Binding.Value(wait.resumes()));
            names.put("approvers", new Binding.Value(wait.approvers()));
        });
        return new Names(names);
    }

    /** The names once the step has succeeded. */
    Names afterSuccess() {
        Map<String, Binding> names = common();
        Binding result = new Binding.Value(new Path(new Root.Result()));
        names.put("result", result);
        names.put("previous_result", result);
        return new Names(names);
    }

    /** The names once an iteration of the loop has succeeded. */
    Names afterIteration() {
        Map<String, Binding> names = new LinkedHashMap<>(afterSuccess().bindings());
        names.put("all_iters", new Binding.Value(new Path(new Root.ResultsSoFar())));
        return new Names(names);
    }

    /** The names once the step, or the flow, has failed. */
    Names afterFailure() {
        Map<String, Binding> names = common();
        Binding error = new Binding.Value(new Path(new Root.Failure()));
        names.put("error", error);
        names.put("result", new Binding.Members(Map.of("error", error)));
        names.put("previous_result", new Binding.Members(Map.of("error", error)));
        return new Names(names);
    }

    private Map<String, Binding> common() {
        Map<String, Binding> names = new LinkedHashMap<>();
        names.put("flow_input", flowInputWithIterations());
        names.put("results", new Binding.StepResults());
        names.put("flow_env", new Binding.Value(new Path(new Root.Environment())));
        return names;
    }

    /** The results of the steps before; in a whileloopflow, also what the last iteration resulted in, under the id of its last step. */
    private Binding results(Set<String> known) {
        if (loops.isEmpty() || loops.getFirst().carried().isEmpty()) {
            return new Binding.StepResults();
        }
        Map<String, Binding> results = new LinkedHashMap<>();
        known.forEach(id -> results.put(id, new Binding.Value(new Path(new Root.StepResultIfAny(id)))));
        results.put(loops.getFirst().carried(), new Binding.Value(new Path(new Root.Item())));
        return new Binding.Members(results);
    }

    private Binding flowInputWithIterations() {
        Map<String, Binding> members = new LinkedHashMap<>();
        if (!loops.isEmpty()) {
            members.put("iter", iteration(0));
        }
        if (loops.size() > 1) {
            members.put("iter_parent", iteration(1));
        }
        return members.isEmpty() ? new Binding.Value(flowInput) : new Binding.Members(Optional.of(flowInput), members);
    }

    private Binding iteration(int outward) {
        Path index = new Path(new Root.Index(outward));
        Path value = loops.get(outward).counts() ? index : new Path(new Root.Item(outward));
        return new Binding.Members(Map.of("value", new Binding.Value(value), "index", new Binding.Value(index)));
    }
}
