package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.LoopState;
import dev.millrace.scheduler.flow.core.state.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Begins steps before everything they need has ended, once a condition of the step is true.
 *
 * <p>A condition is evaluated after a step that it waits for has ended, or after an iteration of a loop that it waits
 * for. Evaluation happens when no other work is pending, and all conditions that are evaluated together see the same
 * state. So decisions do not depend on the order in which the machine works.
 */
final class EarlyBegins {
    private final Transition transition;
    private final Map<StepKey, Place> noted = new LinkedHashMap<>();

    EarlyBegins(Transition transition) {
        this.transition = transition;
    }

    private record Answer(Place place, Resolution condition) {}

    /** Notes a step if some of the steps it needs have ended, but not all. */
    void note(Place place) {
        if (place.node().policy().beginIf().isPresent()) {
            noted.put(place.key(), place);
        }
    }

    /** Notes the steps that need a loop of which an iteration has ended. */
    void note(LoopState loop) {
        if (loop.isSeen()) {
            awaiting(loop).forEach(this::note);
        }
    }

    /** Returns the steps that need the loop. */
    static List<Place> awaiting(LoopState loop) {
        Place container = new Place(loop.scope(), loop.step());
        List<Place> awaiting = new ArrayList<>();
        for (int successor : container.node().successors()) {
            awaiting.add(new Place(loop.scope(), successor));
        }
        return awaiting;
    }

    /** Returns whether the step may begin early and has begun. */
    boolean hasBegun(Place place) {
        return place.node().policy().beginIf().isPresent() && (place.state() != null || transition.starts.has(place));
    }

    /** Evaluates the conditions of the noted steps. Returns whether there were any. */
    boolean decide() {
        List<Answer> answers = new ArrayList<>();
        for (Place place : noted.values()) {
            Optional<Template> condition = place.node().policy().beginIf();
            if (condition.isPresent() && !hasBegun(place) && place.scope().mayBegin()) {
                answers.add(
                        new Answer(place, Bindings.of(transition.state, place).resolve(condition.get())));
            }
        }
        noted.clear();
        answers.forEach(this::begin);
        return !answers.isEmpty();
    }

    private void begin(Answer answer) {
        switch (answer.condition()) {
            case Resolution.Unresolved unresolved ->
                transition.failHere(answer.place(), FlowErrors.unresolved("condition to begin the step", unresolved));
            case Resolution.Resolved when
            when when.value().isTruthy() -> transition.queue.add(new Transition.Pending.BeginStep(answer.place()));
            case Resolution.Resolved _ -> {}
        }
    }
}
