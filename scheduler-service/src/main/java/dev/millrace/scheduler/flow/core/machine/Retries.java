package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.graph.HookedStep;
import dev.millrace.scheduler.flow.core.state.Failure;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.flow.core.state.Retry;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.Optional;

/** Retries failed steps according to their policies. */
final class Retries {
    private Retries() {}

    /** Retries a live step if its policy allows it. The queue has already handled unconditional retries of jobs. */
    static boolean beginsAgain(Place place, Outcome outcome, Transition transition) {
        if (!(outcome instanceof Outcome.Failed(JobError error))) {
            return false;
        }
        boolean isOurs = place.node().work().followsItsPolicy()
                || (place.node().policy().retryIf().isPresent() && error.retryable());
        return isOurs
                && place.scope().mayBegin()
                && Failure.of(transition.state.model(), place.key(), outcome)
                        .filter(failure -> beginsAgain(place, failure, transition))
                        .isPresent();
    }

    /** Retries a step after a failure of the step itself or inside it. Returns whether it begins again. */
    static boolean beginsAgain(Place place, Failure failure, Transition transition) {
        boolean begins = mayRetry(place, failure, transition.state);
        if (begins) {
            begin(place, failure, transition);
        }
        return begins;
    }

    private static boolean mayRetry(Place place, Failure failure, FlowState state) {
        if (place.scope().resets(place.step()) >= place.node().policy().retry().retriesMax()) {
            return false;
        }
        if (HookedStep.isOne(place.node()) && !HookedAttempt.beginsAgain(place, failure)) {
            return false;
        }
        Optional<Template> retryIf = place.node().policy().retryIf();
        if (retryIf.isEmpty()) {
            return true;
        }
        Bindings bindings = Bindings.of(state, place.scope()).withError(failure.value());
        return bindings.resolve(retryIf.get()) instanceof Resolution.Resolved resolved
                && resolved.value().isTruthy();
    }

    private static void begin(Place place, Failure failure, Transition transition) {
        Optional<Retry> retry = HookedStep.isOne(place.node())
                ? Optional.of(Retry.after(place.scope().retry(place.step()), failure))
                : Optional.empty();
        Json told = retry.map(Retry::json).orElse(Json.NULL);
        transition.reset(place, told);
        retry.ifPresent(next -> place.scope().retry(place.step(), next));
        int resets = place.scope().resets(place.step());
        double random = Spread.of(transition.state.run(), place.key(), resets);
        transition.activator.beginDelayed(place, place.node().policy().retry().delayBefore(resets, random));
    }
}
