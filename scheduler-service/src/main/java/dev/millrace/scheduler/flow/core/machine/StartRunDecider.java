package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.StartRunWork;
import dev.millrace.scheduler.flow.core.state.Place;

/** Begins a step that starts a run without waiting for its end. */
final class StartRunDecider {
    private StartRunDecider() {}

    static void begin(StartRunWork start, Place place, Bindings bindings, Transition transition) {
        RunResolution.begin(
                start.flow(),
                start.input(),
                place,
                bindings,
                transition,
                (flow, input) -> new StartRun(place.key(), flow, input));
    }
}
