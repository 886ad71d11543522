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

/** Decides retries of a {@link HookedStep}, and what its inner steps can read. */
final class HookedAttempt {
    private HookedAttempt() {}

    /** Returns whether the hooked action itself has failed, so that the step fails with the same error. */
    static boolean hasFailed(StepKey step, Failure failure) {
        return !failure.canceled() && failure.key().equals(HookedStep.inside(step, HookedStep.RUN));
    }

    /**
     * Returns whether a hooked step may be retried after a failure inside it. The rules are those of the hooked action
     * without its hooks.
     */
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

    /** Adds the values that only inner steps of a hooked step can read. */
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

    /** Returns how many attempts of the hooked action preceded the current one. */
    static int attemptsBefore(Place place) {
        ScopeState around = place.scope().parent();
        return around != null && place.node().id().equals(HookedStep.RUN)
                ? around.retry(place.scope().container()).map(Retry::number).orElse(0)
                : 0;
    }
}
