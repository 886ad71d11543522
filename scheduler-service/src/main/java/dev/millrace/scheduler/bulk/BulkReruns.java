package dev.millrace.scheduler.bulk;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.Rerun;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.StepInput;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.submission.RerunInputs;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Prepares the new runs of bulk operations. The input of a run is checked against the version that its new run is to
 * execute, and a step that gets another input must take one. Blocking and thread-safe.
 */
final class BulkReruns {
    /** Errors that the same run would have again. */
    private static final Set<ErrorCode> FINAL = EnumSet.of(
            ErrorCode.INVALID_REQUEST,
            ErrorCode.INVALID_FLOW,
            ErrorCode.FLOW_NOT_FOUND,
            ErrorCode.RUN_NOT_FOUND,
            ErrorCode.STEP_NOT_FOUND);

    private final Runs runs;
    private final RerunInputs inputs;
    private final IdSource ids;

    BulkReruns(Runs runs, RerunInputs inputs, IdSource ids) {
        this.runs = runs;
        this.inputs = inputs;
        this.ids = ids;
    }

    Rerun restart(RunRef run) {
        return new Rerun(run.id(), ids.nextRun(), Optional.empty(), Optional.empty());
    }

    /**
     * The rerun of one run.
     *
     * @throws MillraceException if the run cannot run again like this; see {@link #isFinal}
     */
    Rerun rerun(RunRef run, BulkAction.Rerun action) {
        Optional<String> from = Optional.of(action.step());
        if (!action.hasOptions()) {
            return new Rerun(run.id(), ids.nextRun(), from, Optional.empty());
        }
        RerunInputs.Original original = original(run);
        Optional<Json> input = action.flowHash().map(hash -> inputs.readAgainForVersion(original, hash));
        Optional<StepInput> stepInput =
                action.stepInput().map(given -> inputs.readForStep(original, action.flowHash(), action.step(), given));
        return new Rerun(run.id(), ids.nextRun(), from, input, action.flowHash(), stepInput);
    }

    /** Whether another attempt would fail, too. */
    static boolean isFinal(MillraceException failure) {
        return FINAL.contains(failure.code());
    }

    private RerunInputs.Original original(RunRef named) {
        Run run = runs.load(named);
        Json input = run.payloads().input().orElse(Json.EMPTY_OBJECT);
        return new RerunInputs.Original(run.workspace(), run.kind(), run.target(), run.name(), input);
    }
}
