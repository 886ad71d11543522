package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.WaitWork;
import dev.millrace.scheduler.flow.core.state.Place;

/** Enqueues a wait. */
final class WaitDecider {
    private WaitDecider() {}

    static void begin(WaitWork wait, Place place, Bindings bindings, Transition transition) {
        switch (WaitResolution.of(wait.until(), bindings)) {
            case WaitResolution.Until until -> transition.starts.add(place, new StartWait(place.key(), until.until()));
            case WaitResolution.Broken broken -> transition.failHere(place, broken.error());
        }
    }
}
