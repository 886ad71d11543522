package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;
import java.util.Optional;

/**
 * A bulk operation, that is one operation on many runs, with its progress.
 *
 * @param stepKey key of the step that the operation names; empty if it names none
 * @param flowHash version that reruns execute; absent if each executes that of its run
 * @param hasStepInput whether reruns give the step another input
 * @param canceled who canceled the operation, and why; absent if it was not canceled
 * @param ended when the last of its runs reached a final state; absent until then
 */
record Bulk(
        BulkId id,
        Workspace workspace,
        OperationKind operation,
        String stepKey,
        Optional<String> flowHash,
        boolean hasStepInput,
        OperationNote note,
        BulkState state,
        BulkProgress progress,
        Optional<OperationNote> canceled,
        Instant created,
        Optional<Instant> ended) {
    Bulk {
        requireNonNull(id, "id");
        requireNonNull(workspace, "workspace");
        requireNonNull(operation, "operation");
        requireNonNull(stepKey, "stepKey");
        requireNonNull(flowHash, "flowHash");
        requireNonNull(note, "note");
        requireNonNull(state, "state");
        requireNonNull(progress, "progress");
        requireNonNull(canceled, "canceled");
        requireNonNull(created, "created");
        requireNonNull(ended, "ended");
    }
}
