package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.state.Place;

/** Opens a parallel step and begins its branches. */
final class ParallelDecider {
    private ParallelDecider() {}

    static void begin(Place place, Transition transition) {
        transition.iterations.begin(place, transition.open(place, JsonValue.NULL));
    }
}
