package dev.millrace.scheduler.flow.core;

/** Something to put into the queue. */
sealed interface QueueEntry permits StartJob, StartWait, StartRun {
    /** The key under which it is live. */
    StepKey key();
}
