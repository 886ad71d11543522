package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/**
 * A run to begin after the model of another, which stays as it is.
 *
 * @param original the other run, live or ended
 * @param run the new one; made by the caller, so that it can be found again whatever happens to the answer
 * @param from key of the step to begin at, with what stands before it taken over; absent for the beginning
 * @param input checked; absent for that of the original
 */
public record Rerun(RunId original, RunId run, Optional<String> from, Optional<Json> input) {
    public Rerun {
        requireNonNull(original, "original");
        requireNonNull(run, "run");
        requireNonNull(from, "from");
        requireNonNull(input, "input");
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
