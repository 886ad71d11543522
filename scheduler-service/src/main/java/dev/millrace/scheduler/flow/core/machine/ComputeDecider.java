package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.ComputeWork;
import dev.millrace.scheduler.flow.core.state.Place;

/** Ends a step with a computed value. */
final class ComputeDecider {
    private ComputeDecider() {}

    static void begin(ComputeWork compute, Place place, Transition transition) {
        transition.endHere(place, "value", compute.result());
    }
}
