package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.graph.Container;
import dev.millrace.scheduler.flow.core.graph.Graph;
import dev.millrace.scheduler.flow.core.graph.HookedStep;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.graph.Work;
import dev.millrace.scheduler.flow.core.state.Failure;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.flow.core.state.Retry;
import dev.millrace.scheduler.flow.core.state.ScopeState;

/** What follows inside a {@link HookedStep}: what its steps see, and whether it is tried again. */
final class HookedAttempt {
    private HookedAttempt() {}

    /** Whether it is what the step runs that has failed by itself, so that the step fails as that does. */
    static boolean hasFailed(StepKey step, Failure failure) {
        return !failure.canceled() && failure.key().equals(HookedStep.inside(step, HookedStep.RUN));
    }

    /** Whether such a step begins again, as far as its retries go, after this failure inside of it: as what it runs would without hooks. */
    static boolean beginsAgain(Place place, Failure failure) {
        if (failure.key().equals(HookedStep.inside(place.key(), HookedStep.AFTER))) {
            return false;
        }
        Graph block = place.node().work().lists().getFirst();
        Work run = block.node(block.position(HookedStep.RUN)).work();
        return run instanceof Container
                || (!failure.canceled()
                        && (run.followsItsPolicy() || failure.error().retryable()));
    }

    /** What one of the steps of such a block sees beyond the others; of any other step, nothing. */
    static Bindings see(Bindings bindings, Place place) {
        ScopeState scope = place.scope();
        ScopeState around = scope.parent();
        if (!HookedStep.holds(scope.graph()) || around == null) {
            return bindings;
        }
        return switch (place.node().id()) {
            case HookedStep.AFTER -> {
                JsonValue result = scope.result(scope.graph().position(HookedStep.RUN));
                yield bindings.withResult(result == null ? JsonValue.NULL : result);
            }
            case HookedStep.BEFORE_RETRY ->
                around.retry(scope.container()).map(bindings::withRetry).orElse(bindings);
            default -> bindings;
        };
    }

    /** How many attempts of what the step runs were made before this one. */
    static int attemptsBefore(Place place) {
        ScopeState around = place.scope().parent();
        return around != null && place.node().id().equals(HookedStep.RUN)
                ? around.retry(place.scope().container()).map(Retry::number).orElse(0)
                : 0;
    }
}
