package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.StepKey;

/** Something to put into the queue. */
sealed interface QueueEntry permits StartJob, StartWait, StartRun {
    /** The key under which it is live. */
    StepKey key();
}
