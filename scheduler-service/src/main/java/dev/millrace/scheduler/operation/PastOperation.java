package dev.millrace.scheduler.operation;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Instant;
import java.util.UUID;

/** A recorded operation on a run. */
record PastOperation(UUID id, RunId run, OperationKind operation, OperationNote note, Json details, Instant time) {
    PastOperation {
        requireNonNull(id, "id");
        requireNonNull(run, "run");
        requireNonNull(operation, "operation");
        requireNonNull(note, "note");
        requireNonNull(details, "details");
        requireNonNull(time, "time");
    }
}
