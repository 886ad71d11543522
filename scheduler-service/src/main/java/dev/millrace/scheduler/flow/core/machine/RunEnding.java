package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.definition.FailureFlow;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.graph.FailureFlowInput;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.state.Failure;
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
     * Returns the run that starts because this one has ended.
     *
     * @param input of the run that has ended
     */
    public static Optional<FailureRun> failureRun(FlowModel model, RunId run, Json input, Outcome end) {
        Optional<FailureFlow> next = model.definition().options().failureFlow();
        return end instanceof Outcome.Failed(JobError error)
                ? next.map(flow -> new FailureRun(
                        flow.path(), FailureFlowInput.of(flow, run, Failure.stepOf(error), error, input)))
                : Optional.empty();
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
