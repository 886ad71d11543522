package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.graph.Node;
import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.BranchState;
import dev.millrace.scheduler.flow.core.state.ContainerOpening;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.core.state.LoopState;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.flow.core.state.ScopeState;
import dev.millrace.scheduler.flow.core.state.StepState;
import dev.millrace.scheduler.flow.core.state.VariableChange;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.time.Duration;
import java.util.Deque;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Begins lists and steps: decides whether, works out what they are given, and opens containers. */
final class StepActivator {
    private final Transition transition;
    private final FlowState state;
    private final Deque<Transition.Work> queue;
    private final PendingStarts starts;

    StepActivator(Transition transition) {
        this.transition = transition;
        this.state = transition.state;
        this.queue = transition.queue;
        this.starts = transition.starts;
    }

    void beginScope(ScopeState scope) {
        if (scope.graph().nodes().isEmpty()) {
            queue.add(new Transition.Work.CompleteScope(scope));
        }
        for (int root : scope.graph().roots()) {
            queue.add(new Transition.Work.BeginStep(new Place(scope, root)));
        }
    }

    void beginStep(Place place) {
        if (transition.earlyBegins.hasBegun(place) || !place.scope().mayBegin() || isHeld(place, StepKey.Mark.HOLD)) {
            return;
        }
        StepPolicy policy = place.node().policy();
        if (policy.skip().isPresent() && isSkipped(place, policy.skip().get())) {
            return;
        }
        if (policy.mock().isPresent()) {
            transition.endHere(place, "mock", policy.mock().get());
            return;
        }
        if (policy.delay().isEmpty()) {
            queue.addFirst(new Transition.Work.Act(place));
            return;
        }
        switch (WaitResolution.of(new StepAction.WaitFor.Delay(policy.delay().get()), Bindings.of(state, place))) {
            case WaitResolution.Broken broken -> transition.failHere(place, broken.error());
            case WaitResolution.Until(StartWait.Until.Passed passed) -> beginDelayed(place, passed.time());
            case WaitResolution.Until until -> throw new IllegalStateException("no delay: " + until);
        }
    }

    private boolean isSkipped(Place place, StepPolicy.Skip skip) {
        Bindings bindings = Bindings.of(state, place);
        switch (bindings.resolve(skip.when())) {
            case Resolution.Unresolved unresolved ->
                transition.failHere(place, FlowErrors.unresolved("condition to skip the step", unresolved));
            case Resolution.Resolved when
            when !when.value().isTruthy() -> {
                return false;
            }
            case Resolution.Resolved _ -> {
                switch (bindings.resolve(skip.result())) {
                    case Resolution.Unresolved unresolved ->
                        transition.failHere(place, FlowErrors.unresolved("result of the skipped step", unresolved));
                    case Resolution.Resolved value ->
                        transition.endHere(
                                place, new Outcome.Skipped(value.value().json()));
                }
            }
        }
        return true;
    }

    void beginDelayed(Place place, Duration delay) {
        if (delay.isPositive()) {
            StepKey key = place.key().with(StepKey.Mark.DELAY);
            starts.add(place, new StartWait(key, new StartWait.Until.Passed(delay)));
        } else {
            queue.addFirst(new Transition.Work.Act(place));
        }
    }

    /** The time of a container begins to run, once for all its retries. */
    void limit(Place container) {
        container
                .node()
                .policy()
                .timeout()
                .ifPresent(time -> starts.addLimit(
                        container,
                        new StartWait(container.key().with(StepKey.Mark.LIMIT), new StartWait.Until.Passed(time))));
    }

    /** While the run is paused, a wait for its end takes the place of the step. */
    private boolean isHeld(Place place, StepKey.Mark mark) {
        if (state.isHeld()) {
            starts.add(place, new StartWait(place.key().with(mark), new StartWait.Until.Resumed()));
        }
        return state.isHeld();
    }

    void act(Place place) {
        if (!place.scope().mayBegin() || isHeld(place, StepKey.Mark.HELD)) {
            return;
        }
        if (place.node().keepsItsTime()) {
            limit(place);
        }
        Bindings bindings = Bindings.of(state, place);
        switch (place.node().work()) {
            case Node.Task task -> {
                switch (TaskResolution.of(task, place.key(), attempt(place), bindings)) {
                    case TaskResolution.Job job -> starts.add(place, job.job());
                    case TaskResolution.Broken broken -> transition.failHere(place, broken.error());
                }
            }
            case Node.Wait wait -> {
                switch (WaitResolution.of(wait.until(), bindings)) {
                    case WaitResolution.Until until -> starts.add(place, new StartWait(place.key(), until.until()));
                    case WaitResolution.Broken broken -> transition.failHere(place, broken.error());
                }
            }
            case Node.RunStart start ->
                beginRun(
                        place,
                        bindings.resolve(start.flow()),
                        bindings.resolve(start.input()),
                        (flow, input) -> new StartRun(place.key(), flow, input));
            case Node.ChildRun child ->
                beginRun(
                        place,
                        bindings.resolve(child.flow()),
                        bindings.resolve(child.input()),
                        (flow, input) -> new StartWait(place.key(), new StartWait.Until.RunEnded(flow, input)));
            case Node.ForEach loop -> beginForEach(place, loop, bindings);
            case Node.While loop -> beginWhile(place, loop);
            case Node.Parallel _ -> beginIterations(place, transition.open(place, JsonValue.NULL));
            case Node.Switch choice -> beginSwitch(place, choice, SwitchDecision.decide(choice, bindings));
            case Node.SubFlow sub -> beginSubFlow(place, sub, bindings.resolve(sub.input()));
            case Node.Compute compute -> transition.endHere(place, "value", compute.result());
            case Node.SetVariables set -> setVariables(place, bindings.resolve(set.values()));
            case Node.Terminate terminate -> terminate(place, terminate.end(), bindings);
        }
    }

    private static int attempt(Place place) {
        return 1 + place.scope().resets(place.step()) + HookedAttempt.attemptsBefore(place);
    }

    private void beginRun(Place place, Resolution flow, Resolution input, BiFunction<String, Json, QueueEntry> entry) {
        if (flow instanceof Resolution.Unresolved unresolved) {
            transition.failHere(place, FlowErrors.unresolved("path of the flow", unresolved));
        } else if (input instanceof Resolution.Unresolved unresolved) {
            transition.failHere(place, FlowErrors.unresolved("input", unresolved));
        } else if (flow instanceof Resolution.Resolved path && input instanceof Resolution.Resolved value) {
            if (path.value().kind() == JsonValue.Kind.STRING) {
                starts.add(
                        place, entry.apply(path.value().string(), value.value().json()));
            } else {
                transition.failHere(
                        place,
                        FlowErrors.wrongType(
                                "path of the flow",
                                "a string",
                                path.value().kind().phrase()));
            }
        }
    }

    private void beginForEach(Place place, Node.ForEach loop, Bindings bindings) {
        switch (bindings.resolve(loop.items())) {
            case Resolution.Unresolved unresolved ->
                transition.failHere(place, FlowErrors.unresolved("list of items", unresolved));
            case Resolution.Resolved resolved
            when resolved.value().kind() != JsonValue.Kind.ARRAY
                    || !resolved.value().isReadable() ->
                transition.failHere(
                        place,
                        FlowErrors.wrongType(
                                "value of for_each",
                                "an array",
                                resolved.value().kind().phrase()));
            case Resolution.Resolved resolved
            when resolved.value().elements().size() > FlowLimits.LOOP_ITEMS_MAX ->
                transition.failHere(
                        place,
                        FlowErrors.tooManyItems(resolved.value().elements().size()));
            case Resolution.Resolved(JsonValue items)
            when loop.computedParallelism().isPresent() ->
                beginForEach(
                        place,
                        loop,
                        items,
                        bindings.resolve(loop.computedParallelism().get()));
            case Resolution.Resolved(JsonValue items) -> beginIterations(place, transition.open(place, items));
        }
    }

    /** Without items, how many of them are in progress at a time does not matter. */
    private void beginForEach(Place place, Node.ForEach loop, JsonValue items, Resolution parallelism) {
        boolean isEmpty = items.elements().isEmpty();
        switch (parallelism) {
            case Resolution.Unresolved unresolved
            when !isEmpty -> transition.failHere(place, FlowErrors.unresolved("parallelism", unresolved));
            case Resolution.Resolved(JsonValue value)
            when !isEmpty && !isCount(value) ->
                transition.failHere(place, FlowErrors.wrongType("parallelism", "a whole number from 1", value.shown()));
            case Resolution.Resolved(JsonValue value)
            when !isEmpty -> {
                int most = (int) Math.min(Double.parseDouble(value.toString()), loop.parallelism());
                beginIterations(place, transition.open(place, ContainerOpening.loop(items, most)));
            }
            case Resolution _ -> beginIterations(place, transition.open(place, ContainerOpening.loop(items, 1)));
        }
    }

    private static boolean isCount(JsonValue value) {
        return value.kind() == JsonValue.Kind.NUMBER && value.isWhole() && Double.parseDouble(value.toString()) >= 1;
    }

    private void beginIterations(Place place, @Nullable StepState opened) {
        if (opened instanceof LoopState loop) {
            if (loop.size() == 0) {
                transition.iterations.endLoop(place, loop);
            }
            for (int i = 0; i < Math.min(loop.parallelism(), loop.size()); i++) {
                transition.iterations.beginNextIteration(loop);
            }
        }
    }

    void beginWhile(Place place, Node.While work) {
        if (!(transition.open(place, JsonValue.NULL) instanceof LoopState loop)) {
            throw new IllegalStateException(place.key() + " is no loop");
        }
        beginWhile(place, loop, work);
    }

    void beginWhile(Place place, LoopState loop, Node.While work) {
        if (work.conditionFirst()) {
            transition.iterations.continueWhile(place, loop, work, loop.newIteration(0), JsonValue.NULL);
        } else {
            transition.iterations.beginNextIteration(loop);
        }
    }

    private void beginSwitch(Place place, Node.Switch choice, SwitchDecision decision) {
        switch (decision) {
            case SwitchDecision.Undecided undecided ->
                transition.failHere(place, FlowErrors.unresolved("condition", undecided.why()));
            case SwitchDecision.Decided decided -> {
                if (transition.open(place, ContainerOpening.decision(choice, decided.branch()))
                        instanceof BranchState taken) {
                    queue.add(new Transition.Work.BeginScope(taken.scope()));
                } else {
                    transition.endHere(place, new Outcome.Succeeded(Json.NULL));
                }
            }
        }
    }

    private void beginSubFlow(Place place, Node.SubFlow sub, Resolution input) {
        switch (input) {
            case Resolution.Unresolved unresolved ->
                transition.failHere(place, FlowErrors.unresolved("input", unresolved));
            case Resolution.Resolved resolved -> {
                switch (sub.inputs().check(resolved.value().json())) {
                    case RunInput.Refused refused ->
                        transition.failHere(place, FlowErrors.inputRefused(refused.problems()));
                    case RunInput.Accepted accepted -> {
                        if (transition.open(place, JsonValue.of(accepted.input())) instanceof BranchState opened) {
                            queue.add(new Transition.Work.BeginScope(opened.scope()));
                        }
                    }
                }
            }
        }
    }

    private void setVariables(Place place, Resolution values) {
        switch (values) {
            case Resolution.Unresolved unresolved ->
                transition.failHere(place, FlowErrors.unresolved("variables", unresolved));
            case Resolution.Resolved resolved
            when resolved.value().kind() != JsonValue.Kind.OBJECT ->
                transition.failHere(
                        place,
                        FlowErrors.wrongType(
                                "variables",
                                "an object",
                                resolved.value().kind().phrase()));
            case Resolution.Resolved resolved -> {
                long number = FlowState.flowOf(place.scope()).nextChange();
                transition.endHere(
                        place,
                        new Outcome.Succeeded(
                                VariableChange.of(number, resolved.value()).json()));
            }
        }
    }

    private void terminate(Place place, StepAction.Terminate end, Bindings bindings) {
        Resolution value = bindings.resolve(Terminations.isGood(end.status()) ? end.output() : end.reason());
        if (!(value instanceof Resolution.Resolved resolved)) {
            if (value instanceof Resolution.Unresolved unresolved) {
                transition.failHere(place, FlowErrors.unresolved("end of the flow", unresolved));
            }
            return;
        }
        Outcome outcome = Terminations.outcome(end.status(), place.key(), resolved.value());
        if (FlowState.flowScope(place.scope()).is(state.root())) {
            transition.record(place.key(), place, outcome);
            transition.endFlow(outcome);
        } else {
            transition.endHere(place, new Outcome.Succeeded(Json.NULL));
            transition.endings.mark(
                    place,
                    StepKey.Mark.END,
                    outcome instanceof Outcome.Skipped(Json output) ? new Outcome.Succeeded(output) : outcome);
        }
    }
}
