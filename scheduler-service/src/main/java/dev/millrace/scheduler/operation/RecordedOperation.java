package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.UUID;

/** An operation on a run that this flush performs. */
record RecordedOperation(UUID id, RunId run, OperationKind operation, OperationNote note, Json details) {}
