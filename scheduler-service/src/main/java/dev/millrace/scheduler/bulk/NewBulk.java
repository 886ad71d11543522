package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.List;

/**
 * A bulk operation to be accepted.
 *
 * @param fingerprint SHA-256 of the request, in hex
 * @param runs distinct ids, at most {@link BulkOperations#RUNS_MAX}
 */
record NewBulk(
        BulkId id, Workspace workspace, BulkAction action, OperationNote note, String fingerprint, List<RunId> runs) {
    NewBulk {
        requireNonNull(id, "id");
        requireNonNull(workspace, "workspace");
        requireNonNull(action, "action");
        requireNonNull(note, "note");
        requireNonNull(fingerprint, "fingerprint");
        runs = List.copyOf(runs);
    }
}
