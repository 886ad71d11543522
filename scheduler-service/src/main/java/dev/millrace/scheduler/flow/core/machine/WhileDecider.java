package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.graph.WhileWork;
import dev.millrace.scheduler.flow.core.state.LoopState;
import dev.millrace.scheduler.flow.core.state.Place;

/** Opens a loop over a condition, and looks at that first where the loop says so. */
final class WhileDecider {
    private WhileDecider() {}

    static void begin(WhileWork work, Place place, Transition transition) {
        if (!(transition.open(place, JsonValue.NULL) instanceof LoopState loop)) {
            throw new IllegalStateException(place.key() + " is no loop");
        }
        begin(work, loop, place, transition);
    }

    /** Begins the first iteration of a loop that is open. */
    static void begin(WhileWork work, LoopState loop, Place place, Transition transition) {
        if (work.conditionFirst()) {
            transition.iterations.continueWhile(place, loop, work, loop.newIteration(0), JsonValue.NULL);
        } else {
            transition.iterations.beginNextIteration(loop);
        }
    }
}
