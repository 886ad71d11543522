package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.definition.FailureFlow;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.graph.FailureFlowInput;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.state.Failure;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Locale;
import java.util.Optional;

/** How runs end from outside, and what their ends start. */
public final class RunEnding {
    private RunEnding() {}

    /**
     * A run that starts because another one has failed.
     *
     * @param flow path of its flow
     */
    public record FailureRun(String flow, Json input) {}

    /**
     * Returns the run that starts because this one has ended; none if the path of its flow is computed and no text.
     *
     * @param input of the run that has ended
     */
    public static Optional<FailureRun> failureRun(FlowModel model, RunId run, Json input, Outcome end) {
        Optional<FailureFlow> next = model.definition().options().failureFlow();
        if (next.isEmpty() || !(end instanceof Outcome.Failed(JobError error))) {
            return Optional.empty();
        }
        FlowState fresh = FlowState.fresh(model, run, input);
        String name = model.definition().name();
        return path(next.get(), fresh)
                .map(path -> new FailureRun(
                        path, FailureFlowInput.of(next.get().given(), name, run, Failure.stepOf(error), error, input)));
    }

    private static Optional<String> path(FailureFlow next, FlowState failed) {
        return switch (Bindings.of(failed, failed.root()).resolve(next.path())) {
            case Resolution.Unresolved _ -> Optional.empty();
            case Resolution.Resolved(JsonValue path) ->
                Optional.of(path)
                        .filter(value -> value.kind() == JsonValue.Kind.STRING)
                        .map(JsonValue::string)
                        .filter(text -> !text.isBlank());
        };
    }

    /** The error of a run whose time limit has expired. */
    public static JobError timedOut(FlowModel model) {
        String limit = model.definition()
                .options()
                .timeout()
                .map(time -> " (" + time.toString().substring(2).toLowerCase(Locale.ROOT) + ")")
                .orElse("");
        return JobError.permanent("TimedOut", "The run took longer than its flow allows" + limit + ".");
    }

    /** The outcome of a step whose child run would be too deep below other waiting runs. */
    public static Outcome tooDeep() {
        return new Outcome.Failed(JobError.permanent(
                "RunsTooDeep",
                "More than " + FlowLimits.CHILD_RUN_DEPTH_MAX
                        + " runs would wait for one another, each begun by a step of the one above. "
                        + "Correct what lets a flow run itself without end, or start runs that nobody waits for."));
    }
}
