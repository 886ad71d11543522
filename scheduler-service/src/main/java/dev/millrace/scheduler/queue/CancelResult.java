package dev.millrace.scheduler.queue;

/** What became of a cancellation. */
public enum CancelResult {
    CANCELED,
    ALREADY_ENDED,
    NOT_FOUND
}
