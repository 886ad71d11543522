package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobTarget;

/** What a run executes. */
public sealed interface RunTarget {
    /** A single job without a flow. */
    record Job(JobTarget job) implements RunTarget {
        public Job {
            requireNonNull(job, "job");
        }
    }

    /** A version of a flow, by the hash of its content. */
    record FlowRun(String flowHash) implements RunTarget {
        public FlowRun {
            requireNonNull(flowHash, "flowHash");
        }
    }
}
