package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.flow.core.graph.HttpPollWork;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import java.time.Duration;

/** Puts the requests of a poll into the queue, one after the other. */
final class HttpPollDecider {
    private HttpPollDecider() {}

    /** Begins a request. Each request is a job with its own attempts, which the queue counts. */
    static void begin(HttpPollWork poll, Place place, Bindings bindings, Transition transition) {
        switch (TaskResolution.of(poll.request(), place.key(), 1, bindings)) {
            case TaskResolution.Job job -> transition.starts.add(place, job.job());
            case TaskResolution.Broken broken -> transition.failHere(place, broken.error());
        }
    }

    /** Handles a response. Returns false if it is the last; otherwise plans another request, or fails the poll. */
    static boolean goesOn(HttpPollWork poll, Place place, JsonValue response, Transition transition) {
        Bindings bindings = Bindings.of(transition.state, place);
        switch (bindings.withResult(response).resolve(poll.until())) {
            case Resolution.Resolved until
            when until.value().isTruthy() -> {
                return false;
            }
            case Resolution.Resolved _ -> again(poll, place, bindings, transition);
            case Resolution.Unresolved unresolved ->
                fail(place, FlowErrors.unresolved("condition to end the poll", unresolved), transition);
        }
        return true;
    }

    private static void again(HttpPollWork poll, Place place, Bindings bindings, Transition transition) {
        int requests = 1 + place.scope().resets(place.step());
        if (requests >= poll.requestsMax()) {
            fail(place, tooManyRequests(requests), transition);
            return;
        }
        switch (WaitResolution.of(new WaitFor.Delay(poll.every()), bindings.withRequests(requests))) {
            case WaitResolution.Until(StartWait.Until.Passed(Duration time)) -> {
                transition.reset(place, Json.NULL);
                transition.activator.beginDelayed(place, time);
            }
            case WaitResolution.Until until -> throw new IllegalStateException("no delay: " + until);
            case WaitResolution.Broken broken -> fail(place, broken.error(), transition);
        }
    }

    static JobError tooManyRequests(int max) {
        return JobError.permanent(
                "TooManyRequests",
                "The condition of the poll does not hold after " + max
                        + " requests, the most that it allows. Correct the condition, or raise max_requests.");
    }

    /** Fails the poll. Voids the rows of the last request first, so that the end of the step can take their place. */
    private static void fail(Place place, JobError error, Transition transition) {
        transition.reset(place, Json.NULL);
        transition.failHere(place, error);
    }
}
