package dev.millrace.scheduler.start;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.machine.RunKeys;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;

/** The decision on how to start a pending run. */
public sealed interface RunStart {
    RunId run();

    /**
     * Version of the row that the input was read from. If the row has changed since, the run must be looked at again.
     */
    long version();

    /** The run begins when it is its turn. {@code keys} are the keys of its flow's options. */
    record Begun(RunId run, long version, String flowHash, FlowModel model, Json input, RunKeys keys)
            implements RunStart {
        /** Evaluates the keys, which may take a while. */
        public static Begun of(RunId run, long version, String flowHash, FlowModel model, Json input) {
            return new Begun(run, version, flowHash, model, input, RunKeys.of(model, run, input));
        }
    }

    /** The run is not needed any more, and ends as canceled. */
    record Canceled(RunId run, long version, JobError reason) implements RunStart {
        /** The end of a run that nothing has changed since it was accepted. */
        public static Canceled ofNew(RunId run, JobError reason) {
            return new Canceled(run, WaitingRun.FIRST_VERSION, reason);
        }
    }

    /** The run cannot begin, and ends as failed. */
    record Failed(RunId run, long version, JobError error) implements RunStart {
        /** The end of a run that nothing has changed since it was accepted. */
        public static Failed ofNew(RunId run, JobError error) {
            return new Failed(run, WaitingRun.FIRST_VERSION, error);
        }
    }
}
