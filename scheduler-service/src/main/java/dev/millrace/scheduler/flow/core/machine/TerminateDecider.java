package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.graph.TerminateWork;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;

/** Ends the run, or the sub-flow that contains the step. */
final class TerminateDecider {
    private TerminateDecider() {}

    static void begin(TerminateWork work, Place place, Bindings bindings, Transition transition) {
        StepAction.Terminate end = work.end();
        switch (bindings.resolve(isSuccess(end.status()) ? end.output() : end.reason())) {
            case Resolution.Unresolved unresolved ->
                transition.failHere(place, FlowErrors.unresolved("end of the flow", unresolved));
            case Resolution.Resolved(JsonValue value) ->
                end(outcome(end.status(), place.key(), value), place, transition);
        }
    }

    private static void end(Outcome outcome, Place place, Transition transition) {
        if (place.scope().flowScope().is(transition.state.root())) {
            transition.record(place.key(), place, outcome);
            transition.endFlow(outcome);
        } else {
            transition.endHere(place, new Outcome.Succeeded(Json.NULL));
            transition.endings.mark(
                    place,
                    StepKey.Mark.END,
                    outcome instanceof Outcome.Skipped(Json output) ? new Outcome.Succeeded(output) : outcome);
        }
    }

    /**
     * Returns the outcome of the run.
     *
     * @param value the output of a success, or the reason for another end
     */
    private static Outcome outcome(EndStatus status, StepKey step, JsonValue value) {
        return switch (status) {
            case SUCCEEDED -> new Outcome.Succeeded(value.json());
            case SKIPPED -> new Outcome.Skipped(value.json());
            case FAILED -> new Outcome.Failed(error(step, value));
            case CANCELED -> new Outcome.Canceled(error(step, value));
        };
    }

    /** Returns whether the flow ends successfully. */
    private static boolean isSuccess(EndStatus status) {
        return switch (status) {
            case SUCCEEDED, SKIPPED -> true;
            case FAILED, CANCELED -> false;
        };
    }

    private static JobError error(StepKey step, JsonValue reason) {
        return JobError.permanent(
                "Terminated",
                switch (reason.kind()) {
                    case NULL -> "Step \"" + step + "\" ended the run.";
                    case STRING -> reason.string();
                    case OBJECT, ARRAY, NUMBER, BOOLEAN -> reason.toString();
                });
    }
}
