package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.QueuedJob;

/** Event: a message for the log of a job. */
public record JobNote(QueuedJob job, String text) {}
