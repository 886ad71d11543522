package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.FlowModel;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;

/** What is to become of a run that has yet to be started. */
public sealed interface RunStart {
    RunId run();

    /** It begins, once it is its turn. */
    record Begun(RunId run, String flowHash, FlowModel model, Json input) implements RunStart {}

    /** It cannot begin, and ends as failed. */
    record Failed(RunId run, JobError error) implements RunStart {}
}
