package dev.millrace.scheduler.start;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.machine.RunKeys;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;

/** What is to become of a run that has yet to be started. */
public sealed interface RunStart {
    RunId run();

    /** Of the row that its input was read from: where that has changed since, it is to be looked at again. */
    long version();

    /** It begins, once it is its turn; {@code keys} are those of its flow's options. */
    record Begun(RunId run, long version, String flowHash, FlowModel model, Json input, RunKeys keys)
            implements RunStart {
        /** Evaluates the keys, which may take its time. */
        public static Begun of(RunId run, long version, String flowHash, FlowModel model, Json input) {
            return new Begun(run, version, flowHash, model, input, RunKeys.of(model, run, input));
        }
    }

    /** It cannot begin, and ends as failed. */
    record Failed(RunId run, long version, JobError error) implements RunStart {}
}
