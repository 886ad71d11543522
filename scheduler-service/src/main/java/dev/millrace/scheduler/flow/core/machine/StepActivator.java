package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.flow.core.state.ScopeState;
import dev.millrace.scheduler.queue.core.Outcome;
import java.time.Duration;
import java.util.Deque;

/** Begins lists and steps: checks conditions, resolves inputs and opens containers. */
final class StepActivator {
    private final Transition transition;
    private final FlowState state;
    private final Deque<Transition.Pending> queue;
    private final PendingStarts starts;

    StepActivator(Transition transition) {
        this.transition = transition;
        this.state = transition.state;
        this.queue = transition.queue;
        this.starts = transition.starts;
    }

    void beginScope(ScopeState scope) {
        if (scope.graph().nodes().isEmpty()) {
            queue.add(new Transition.Pending.CompleteScope(scope));
        }
        for (int root : scope.graph().roots()) {
            queue.add(new Transition.Pending.BeginStep(new Place(scope, root)));
        }
    }

    void beginStep(Place place) {
        if (transition.earlyBegins.hasBegun(place)
                || !place.scope().mayBegin()
                || isHeldBack(place, StepKey.Mark.HOLD)) {
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
            queue.addFirst(new Transition.Pending.Act(place));
            return;
        }
        switch (WaitResolution.of(new WaitFor.Delay(policy.delay().get()), Bindings.of(state, place))) {
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
            queue.addFirst(new Transition.Pending.Act(place));
        }
    }

    /** Starts the time limit of a container, which covers all its retries. */
    void limit(Place container) {
        container
                .node()
                .policy()
                .timeout()
                .ifPresent(time -> starts.addLimit(
                        container,
                        new StartWait(container.key().with(StepKey.Mark.LIMIT), new StartWait.Until.Passed(time))));
    }

    /** Replaces the step with a wait for the resumption if the run is paused. Returns whether it is. */
    private boolean isHeldBack(Place place, StepKey.Mark mark) {
        if (state.isPaused()) {
            starts.add(place, new StartWait(place.key().with(mark), new StartWait.Until.Resumed()));
        }
        return state.isPaused();
    }

    void act(Place place) {
        if (!place.scope().mayBegin() || isHeldBack(place, StepKey.Mark.HELD)) {
            return;
        }
        if (place.node().policy().timeout().isPresent() && place.node().work().followsItsPolicy()) {
            limit(place);
        }
        StepDeciders.begin(place, Bindings.of(state, place), transition);
    }
}
