package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.ChildRunWork;
import dev.millrace.scheduler.flow.core.state.Place;

/** Begins a step that starts a child run and waits for its end. */
final class ChildRunDecider {
    private ChildRunDecider() {}

    static void begin(ChildRunWork child, Place place, Bindings bindings, Transition transition) {
        RunResolution.begin(
                child.flow(),
                child.input(),
                place,
                bindings,
                transition,
                (flow, input) -> new StartWait(place.key(), new StartWait.Until.RunEnded(flow, input)));
    }
}
