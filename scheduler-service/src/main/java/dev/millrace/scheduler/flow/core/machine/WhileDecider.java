package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.graph.WhileWork;
import dev.millrace.scheduler.flow.core.state.LoopState;
import dev.millrace.scheduler.flow.core.state.Place;

/** Opens a loop with a condition. */
final class WhileDecider {
    private WhileDecider() {}

    static void begin(WhileWork work, Place place, Transition transition) {
        if (!(transition.open(place, JsonValue.NULL) instanceof LoopState loop)) {
            throw new IllegalStateException(place.key() + " is not a loop");
        }
        begin(work, loop, place, transition);
    }

    /** Begins the first iteration of an open loop, or evaluates the condition first if the loop says so. */
    static void begin(WhileWork work, LoopState loop, Place place, Transition transition) {
        if (work.conditionFirst()) {
            transition.iterations.continueWhile(place, loop, work, loop.newIteration(0), JsonValue.NULL);
        } else {
            transition.iterations.beginNextIteration(loop);
        }
    }
}
