package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.core.state.LoopState;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.flow.core.state.ScopeState;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Follows the ends of steps and lists: begins successors, ends surrounding lists, and ends steps early. */
final class Endings {
    private final Transition transition;
    private final FlowState state;
    private final Deque<Transition.Pending> queue;

    Endings(Transition transition) {
        this.transition = transition;
        this.state = transition.state;
        this.queue = transition.queue;
    }

    void completeScope(ScopeState scope) {
        LoopState loop = scope.loop();
        if (loop != null && loop.hasEnded(scope.iteration())) {
            JsonValue last = loop.result(scope.iteration());
            transition.iterations.afterIteration(loop, scope, last == null ? JsonValue.NULL : last);
        } else if (scope.mayBegin()) {
            complete(scope, loop, Bindings.of(state, scope).output());
        }
    }

    private void complete(ScopeState scope, @Nullable LoopState loop, Resolution output) {
        ScopeState parent = scope.parent();
        if (loop != null) {
            switch (output) {
                case Resolution.Resolved resolved -> {
                    transition.iterations.endIteration(
                            loop, scope, new Outcome.Succeeded(resolved.value().json()));
                    transition.iterations.afterIteration(loop, scope, resolved.value());
                }
                case Resolution.Unresolved unresolved ->
                    transition.iterations.failIteration(
                            loop, scope, FlowErrors.unresolved("output of iteration " + scope.iteration(), unresolved));
            }
        } else if (parent == null || scope.is(state.handler())) {
            transition.endFlow(
                    switch (output) {
                        case Resolution.Resolved resolved ->
                            new Outcome.Succeeded(resolved.value().json());
                        case Resolution.Unresolved unresolved ->
                            new Outcome.Failed(FlowErrors.unresolved("output of the flow", unresolved));
                    });
        } else {
            Place container = new Place(parent, scope.container());
            switch (output) {
                case Resolution.Resolved resolved ->
                    transition.endHere(
                            container, new Outcome.Succeeded(resolved.value().json()));
                case Resolution.Unresolved unresolved ->
                    transition.failHere(container, FlowErrors.unresolved("output of the branch", unresolved));
            }
        }
    }

    /** Adds what begins or ends because the step has ended. */
    void follow(Place place, Outcome outcome) {
        follow(place, outcome, Optional.empty());
    }

    /**
     * Like {@link #follow(Place, Outcome)}.
     *
     * @param stopped what ends early with this step, regardless of the step's stop conditions
     */
    void follow(Place place, Outcome outcome, Optional<StepPolicy.Extent> stopped) {
        ScopeState scope = place.scope();
        if (outcome instanceof Outcome.Succeeded succeeded) {
            JsonValue last = JsonValue.of(succeeded.result());
            stopped.ifPresentOrElse(extent -> stop(place, extent, last), () -> stopEarly(place, last));
        }
        scope.decideStops(place.step());
        for (int successor : place.node().successors()) {
            Place next = new Place(scope, successor);
            if (scope.unmet(successor) == 0) {
                queue.add(new Transition.Pending.BeginStep(next));
            } else {
                transition.earlyBegins.note(next);
            }
        }
        LoopState loop = scope.loop();
        if (scope.isComplete() || (loop != null && loop.hasEnded(scope.iteration()))) {
            queue.add(new Transition.Pending.CompleteScope(scope));
        }
    }

    private void stopEarly(Place place, JsonValue last) {
        Bindings bindings = Bindings.of(state, place.scope()).withResult(last);
        for (StepPolicy.Stop stop : place.node().policy().stops()) {
            switch (bindings.resolve(stop.when())) {
                case Resolution.Unresolved unresolved -> {
                    JobError error = FlowErrors.unresolved("condition to stop", unresolved);
                    mark(place, StepKey.Mark.STOP, new Outcome.Failed(error));
                    return;
                }
                case Resolution.Resolved when
                when when.value().isTruthy() -> {
                    stop(place, stop, last, bindings);
                    return;
                }
                case Resolution.Resolved _ -> {}
            }
        }
    }

    private void stop(Place place, StepPolicy.Stop stop, JsonValue last, Bindings bindings) {
        if (stop.failure().isEmpty()) {
            stop(place, stop.extent(), last);
        } else {
            JobError error = switch (bindings.resolve(stop.failure().get())) {
                case Resolution.Resolved message -> FlowErrors.stopped(message.value());
                case Resolution.Unresolved unresolved -> FlowErrors.unresolved("message", unresolved);
            };
            mark(place, mark(place.scope(), stop.extent()), new Outcome.Failed(error));
        }
    }

    private void stop(Place place, StepPolicy.Extent extent, JsonValue last) {
        StepKey.Mark mark = mark(place.scope(), extent);
        Outcome outcome = new Outcome.Succeeded(last.json());
        if (mark == StepKey.Mark.END && place.scope().flowScope().is(state.root())) {
            transition.endFlow(outcome);
        } else {
            mark(place, mark, outcome);
        }
    }

    private static StepKey.Mark mark(ScopeState scope, StepPolicy.Extent extent) {
        boolean inBranch = scope.branchAround().loop() != null;
        return switch (extent) {
            case LIST -> StepKey.Mark.STOP;
            case BRANCH -> inBranch ? StepKey.Mark.BRANCH : StepKey.Mark.END;
            case BRANCHES -> inBranch ? StepKey.Mark.BRANCHES : StepKey.Mark.END;
            case LOOP -> scope.iterationAround().isIteration() ? StepKey.Mark.BREAK : StepKey.Mark.END;
            case RUN -> StepKey.Mark.END;
        };
    }

    void mark(Place place, StepKey.Mark mark, Outcome outcome) {
        transition.record(place.key().with(mark), place, outcome);
        state.endEarly(place, mark, outcome);
    }
}
