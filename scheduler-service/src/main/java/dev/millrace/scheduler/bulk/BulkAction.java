package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.Json;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What a bulk operation does to each of its runs. */
sealed interface BulkAction {
    /** Changes the course of the run. */
    record Change(RunOperation operation) implements BulkAction {
        public Change {
            requireNonNull(operation, "operation");
        }

        @Override
        public OperationKind kind() {
            return operation.kind();
        }
    }

    /** Starts a new run from the model of the run, at its beginning. */
    record Restart() implements BulkAction {
        @Override
        public OperationKind kind() {
            return OperationKind.RESTART;
        }
    }

    /**
     * Starts a new run at a step.
     *
     * @param step key of the first step to execute
     * @param flowHash version that the new run executes; absent for that of the run
     * @param stepInput input of the step, a JSON object, in place of the one that the flow computes; absent for none
     */
    record Rerun(String step, Optional<String> flowHash, Optional<Json> stepInput) implements BulkAction {
        public Rerun {
            requireNonNull(step, "step");
            requireNonNull(flowHash, "flowHash");
            requireNonNull(stepInput, "stepInput");
        }

        @Override
        public OperationKind kind() {
            return OperationKind.RERUN;
        }

        /** Whether the new runs differ from the old ones in more than where they begin. */
        boolean hasOptions() {
            return flowHash.isPresent() || stepInput.isPresent();
        }
    }

    /**
     * What an operation needs besides its kind; kinds ignore what is not for them.
     *
     * @param step key of the step to skip or to begin at; empty for none
     * @param result of the skipped step
     * @param flowHash version that reruns execute
     * @param stepInput input of the step in reruns
     */
    record Details(String step, Json result, Optional<String> flowHash, Optional<Json> stepInput) {
        public Details {
            requireNonNull(step, "step");
            requireNonNull(result, "result");
            requireNonNull(flowHash, "flowHash");
            requireNonNull(stepInput, "stepInput");
        }
    }

    /** Operations that a bulk operation can apply. */
    Set<OperationKind> KINDS =
            Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(OperationKind.PIN, OperationKind.UNPIN)));

    /** The action of this kind, which must be one of {@link #KINDS}. */
    static BulkAction of(OperationKind kind, Details details) {
        return switch (kind) {
            case CANCEL -> new Change(new RunOperation.Cancel());
            case PAUSE -> new Change(new RunOperation.Pause());
            case RESUME -> new Change(new RunOperation.Resume());
            case RETRY -> new Change(new RunOperation.Retry());
            case SKIP -> new Change(new RunOperation.Skip(details.step(), details.result()));
            case RESTART -> new Restart();
            case RERUN -> new Rerun(details.step(), details.flowHash(), details.stepInput());
            case PIN, UNPIN -> throw new IllegalArgumentException("not for many runs: " + kind);
        };
    }

    OperationKind kind();

    /** Key of the step that the action names; empty if it names none. */
    default String stepKey() {
        return switch (this) {
            case Change(RunOperation.Skip skip) -> skip.stepKey();
            case Change _, Restart _ -> "";
            case Rerun rerun -> rerun.step();
        };
    }
}
