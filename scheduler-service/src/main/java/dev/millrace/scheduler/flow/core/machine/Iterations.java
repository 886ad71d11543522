package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.graph.ParallelWork;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.graph.WhileWork;
import dev.millrace.scheduler.flow.core.state.Failure;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.core.state.LoopState;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.flow.core.state.ScopeState;
import dev.millrace.scheduler.flow.core.state.StepState;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Begins the iterations of loops and the branches of parallel steps, handles their ends, and gathers their results. */
final class Iterations {
    private final Transition transition;
    private final FlowState state;
    private final Deque<Transition.Pending> queue;
    private final List<StepRecord> records;
    /**
     * Number of iterations that each loop has begun so far, including iterations that the loop's state does not show
     * yet.
     */
    private final IdentityHashMap<LoopState, Integer> taken = new IdentityHashMap<>(1);

    Iterations(Transition transition) {
        this.transition = transition;
        this.state = transition.state;
        this.queue = transition.queue;
        this.records = transition.records;
    }

    /** Begins the first iterations or branches of a container, or ends the container if it has none. */
    void begin(Place place, @Nullable StepState opened) {
        if (opened instanceof LoopState loop) {
            if (loop.size() == 0) {
                endLoop(place, loop);
            }
            for (int i = 0; i < Math.min(loop.parallelism(), loop.size()); i++) {
                beginNextIteration(loop);
            }
        }
    }

    /**
     * Begins iterations up to the limit, or ends the loop if none is left. All decisions between iterations have
     * already been made.
     */
    void fillLoop(LoopState loop, int active) {
        Place place = new Place(loop.scope(), loop.step());
        if (!loop.mayBegin()) {
            return;
        }
        if (loop.fan() instanceof WhileWork work && loop.next() == 0) {
            WhileDecider.begin(work, loop, place, transition);
            return;
        }
        boolean more = !loop.isBroken() && taken(loop) < loop.size();
        if (!more && loop.done() == taken(loop)) {
            endLoop(place, loop);
        }
        for (int begun = active; more && begun < loop.parallelism() && taken(loop) < loop.size(); begun++) {
            beginNextIteration(loop);
        }
    }

    void beginNextIteration(LoopState loop) {
        int next = taken(loop);
        taken.put(loop, next + 1);
        queue.add(new Transition.Pending.BeginScope(loop.newIteration(next)));
    }

    private int taken(LoopState loop) {
        return Math.max(loop.next(), taken.getOrDefault(loop, 0));
    }

    void failIteration(LoopState loop, ScopeState scope, JobError error) {
        if (scope.isTolerant()) {
            Failure failure =
                    new Failure(scope.key(), error, false, state.model().order(scope.key()));
            endIteration(loop, scope, new Outcome.Succeeded(failure.tolerated().json()));
            afterIteration(loop, scope, failure.tolerated());
        } else {
            endIteration(loop, scope, new Outcome.Failed(error));
        }
    }

    void endIteration(LoopState loop, ScopeState scope, Outcome outcome) {
        records.add(new StepRecord(scope.key(), loop.fan().kind(), Json.NULL, outcome));
        state.endIteration(loop, scope.iteration(), scope.key(), outcome);
    }

    /**
     * Ends an iteration or a branch before all its steps have ended. If a step inside has ended the loop, a row of the
     * iteration records that.
     */
    void endEarly(LoopState loop, ScopeState scope, JsonValue result) {
        endIteration(loop, scope, new Outcome.Succeeded(result.json()));
        if (loop.isBroken()) {
            breakOff(loop, scope, new Outcome.Succeeded(Json.NULL));
        }
        afterIteration(loop, scope, result);
    }

    void breakOff(LoopState loop, ScopeState scope, Outcome outcome) {
        StepKey key = scope.key();
        records.add(new StepRecord(key.with(StepKey.Mark.BREAK), loop.fan().kind(), Json.NULL, outcome));
        state.breakOff(loop, key, outcome);
    }

    void afterIteration(LoopState loop, ScopeState scope, JsonValue last) {
        Optional<Template> breakIf = loop.fan().options().breakIf();
        if (!loop.mayBegin()) {
            return;
        }
        transition.earlyBegins.note(loop);
        if (breakIf.isPresent() && !loop.isBroken()) {
            switch (Bindings.of(state, scope).withResult(last).resolve(breakIf.get())) {
                case Resolution.Unresolved unresolved ->
                    breakOff(
                            loop,
                            scope,
                            new Outcome.Failed(FlowErrors.unresolved("condition to leave the loop", unresolved)));
                case Resolution.Resolved resolved -> {
                    if (resolved.value().isTruthy()) {
                        breakOff(loop, scope, new Outcome.Succeeded(Json.NULL));
                    }
                }
            }
            if (!loop.mayBegin()) {
                return;
            }
        }
        Place container = new Place(loop.scope(), loop.step());
        if (!loop.isBroken() && loop.fan() instanceof WhileWork work) {
            continueWhile(container, loop, work, scope, last);
        } else if (!loop.isBroken() && taken(loop) < loop.size()) {
            beginNextIteration(loop);
        } else if (loop.done() == taken(loop)) {
            endLoop(container, loop);
        }
    }

    void continueWhile(Place place, LoopState loop, WhileWork work, ScopeState scope, JsonValue last) {
        switch (Bindings.of(state, scope).withResult(last).resolve(work.condition())) {
            case Resolution.Unresolved unresolved ->
                transition.failHere(place, FlowErrors.unresolved("condition", unresolved));
            case Resolution.Resolved resolved -> {
                if (!resolved.value().isTruthy()) {
                    endLoop(place, loop);
                } else if (taken(loop) == work.iterationsMax()) {
                    transition.failHere(place, FlowErrors.tooManyIterations(work.iterationsMax()));
                } else {
                    beginNextIteration(loop);
                }
            }
        }
    }

    void endLoop(Place container, LoopState loop) {
        Optional<Resolution> gathered = LoopResult.gather(state, loop);
        if (gathered.isEmpty()) {
            transition.failHere(
                    container, FlowErrors.gatheredTooLarge(state.model().payloadBytesMax()));
            return;
        }
        switch (gathered.get()) {
            case Resolution.Unresolved unresolved ->
                transition.failHere(container, FlowErrors.unresolved("name of an iteration", unresolved));
            case Resolution.Resolved resolved ->
                transition.endHere(
                        container, new Outcome.Succeeded(resolved.value().json()), stopped(loop));
        }
    }

    /** Returns the extent that ends together with a parallel step, if one of its branches has ended all branches. */
    private static Optional<StepPolicy.Extent> stopped(LoopState loop) {
        return loop.isBroken() && loop.fan() instanceof ParallelWork parallel ? parallel.stopped() : Optional.empty();
    }
}
