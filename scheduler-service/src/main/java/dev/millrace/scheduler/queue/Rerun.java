package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.StepInput;
import java.util.Optional;

/**
 * A new run that repeats another run, which remains unchanged.
 *
 * @param original the other run, live or ended
 * @param run id of the new run; chosen by the caller, so that the run can be found even if the response is lost
 * @param from key of the step to begin at, keeping the results of the steps before it; absent to begin at the start
 * @param input validated; absent to use the input of the original
 * @param flowHash version of the flow to execute; absent for the version of the original
 * @param stepInput input of a step, in place of the one that the flow computes; absent to use that of the original
 */
public record Rerun(
        RunId original,
        RunId run,
        Optional<String> from,
        Optional<Json> input,
        Optional<String> flowHash,
        Optional<StepInput> stepInput) {
    public Rerun {
        requireNonNull(original, "original");
        requireNonNull(run, "run");
        requireNonNull(from, "from");
        requireNonNull(input, "input");
        requireNonNull(flowHash, "flowHash");
        requireNonNull(stepInput, "stepInput");
    }

    /** A run of the version of the original. */
    public Rerun(RunId original, RunId run, Optional<String> from, Optional<Json> input) {
        this(original, run, from, input, Optional.empty(), Optional.empty());
    }

    /** The kind, which the record of operations names. */
    public OperationKind kind() {
        return from.isPresent() ? OperationKind.RERUN : OperationKind.RESTART;
    }

    /** The relation of the new run to the other one. */
    public RunRelation relation() {
        return from.isPresent() ? RunRelation.RERUN : RunRelation.RESTART;
    }
}
