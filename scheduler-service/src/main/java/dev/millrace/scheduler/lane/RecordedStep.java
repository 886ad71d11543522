package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;

/** A step that no worker ran, or a flow that ended as it was submitted. It goes straight into the history. */
public record RecordedStep(
        JobId id,
        RunId run,
        Workspace workspace,
        JobKind kind,
        String target,
        String name,
        String stepKey,
        Json input,
        Outcome outcome) {}
