package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobTarget;

/** What a run runs. */
public sealed interface RunTarget {
    /** One job without a flow. */
    record Job(JobTarget job) implements RunTarget {
        public Job {
            requireNonNull(job, "job");
        }
    }

    /** A flow version, by content address. */
    record FlowRun(String flowHash) implements RunTarget {
        public FlowRun {
            requireNonNull(flowHash, "flowHash");
        }
    }
}
