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
 * What the expressions of one step can read.
 *
 * @param place of the step
 * @param flowInput value of {@code flow_input}, without the members for iterations
 * @param previous result of the previous step; for the first step of a list, of the step before its container, and for
 *     the first step of a {@code whileloopflow} from the second iteration on, of the previous iteration
 * @param loops loops around the step, the innermost first
 * @param approval values of the wait directly before the step
 * @param failure why the flow has failed; empty if it has not
 * @param beside what else runs beside the list of the step, which decides what an early stop ends
 */
record Sight(
        Place place,
        Expression flowInput,
        Expression previous,
        List<Loop> loops,
        Optional<Approval> approval,
        Optional<Expression> failure,
        Beside beside) {
    /** What runs beside a list, disregarding {@code branchone} modules around it. */
    enum Beside {
        /** Nothing: an early stop ends the loop or the flow. */
        NOTHING,
        /** Other iterations or branches: an early stop ends only this one. */
        OTHERS,
        /** Branches that run one after another: an early stop ends the {@code branchall} and what is around it. */
        BRANCHES_IN_TURN;

        /** What an early stop ends. */
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
     * @param counts whether the value of an iteration is its number, as in a {@code whileloopflow}
     * @param carried id of the last step of the body if the next iteration can read its result; otherwise empty
     */
    record Loop(boolean counts, String carried) {}

    /** Values that a wait for people provides to the next step. */
    record Approval(Expression resume, Expression resumes, Expression approvers) {
        /** Nobody was asked. */
        static final Approval NONE = new Approval(
                Composed.constant(JsonValue.NULL),
                Composed.constant(JsonValue.EMPTY_ARRAY),
                Composed.constant(JsonValue.EMPTY_ARRAY));
    }

    Sight {
        loops = List.copyOf(loops);
    }

    /** For the first step of a flow. */
    static Sight start(Place place, Expression flowInput) {
        return new Sight(place, flowInput, flowInput, List.of(), Optional.empty(), Optional.empty(), Beside.NOTHING);
    }

    /** A copy with another {@code flow_input}. */
    Sight replaceFlowInput(Expression other) {
        return new Sight(place, other, other, loops, approval, failure, beside);
    }

    /**
     * For the first step after the flow has failed.
     *
     * @param error why it has failed
     */
    static Sight failure(Place place, Expression flowInput, Expression error) {
        Template result = Template.object(Map.of("error", new Template.Whole(error)));
        return new Sight(
                place,
                flowInput,
                new Composed(result),
                List.of(),
                Optional.empty(),
                Optional.of(error),
                Beside.NOTHING);
    }

    /** For the next step, with the result of this one. */
    Sight next(Expression result, Optional<Approval> wait) {
        return new Sight(
                new Place(place.list(), place.position() + 1), flowInput, result, loops, wait, failure, beside);
    }

    /** For the position after the last step of the list. */
    Sight last() {
        Place end = new Place(place.list(), Integer.MAX_VALUE);
        return new Sight(end, flowInput, previous, loops, Optional.empty(), failure, beside);
    }

    /** For the first step of a list inside this step. */
    Sight inside(StepsAt list, Beside others) {
        return new Sight(new Place(list, 0), flowInput, previous, loops, Optional.empty(), failure, others);
    }

    /** For the first step in the body of a loop. */
    Sight insideLoop(StepsAt list, Loop loop, boolean parallel) {
        List<Loop> inner = Stream.concat(Stream.of(loop), loops.stream()).toList();
        Expression before = PreviousIteration.insideLoop(previous);
        return new Sight(
                new Place(list, 0),
                flowInput,
                loop.counts() ? new PreviousIteration(before, 0) : before,
                inner,
                Optional.empty(),
                failure,
                parallel ? Beside.OTHERS : Beside.NOTHING);
    }

    /**
     * Names that expressions evaluated before the step can read.
     *
     * @param known ids of the preceding steps
     */
    Names before(Set<String> known) {
        Map<String, Binding> names = common();
        names.put("results", results(known));
        names.put("previous_result", new Binding.Value(previous));
        names.put("result", new Binding.Value(previous));
        // Windmill defines this name but never gives it a value.
        names.put("params", new Binding.Value(Composed.constant(JsonValue.EMPTY_OBJECT)));
        failure.ifPresent(error -> names.put("error", new Binding.Value(error)));
        Approval wait = approval.orElse(Approval.NONE);
        names.put("resume", new Binding.Value(wait.resume()));
        names.put("resumes", new Binding.Value(wait.resumes()));
        names.put("approvers", new Binding.Value(wait.approvers()));
        return new Names(names);
    }

    /** Names that expressions evaluated after a success of the step can read. */
    Names afterSuccess() {
        Map<String, Binding> names = common();
        Binding result = new Binding.Value(new Path(new Root.Result()));
        names.put("result", result);
        names.put("previous_result", result);
        return new Names(names);
    }

    /** Names that expressions evaluated after a successful iteration of the loop can read. */
    Names afterIteration() {
        Map<String, Binding> names = new LinkedHashMap<>(afterSuccess().bindings());
        names.put("all_iters", new Binding.Value(new Path(new Root.ResultsSoFar())));
        return new Names(names);
    }

    /** Names that expressions evaluated after a failure of the step or the flow can read. */
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

    /**
     * Results of the preceding steps. In a {@code whileloopflow}, they include the result of the previous iteration,
     * under the id of the last step.
     */
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
