package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.StepKey;

/** An entry to add to the queue. */
sealed interface QueueEntry permits StartJob, StartWait, StartRun {
    /** The key under which the entry is live. */
    StepKey key();
}
