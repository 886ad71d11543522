package dev.millrace.scheduler.queue.core;

/**
 * The leases of a job that ended because the worker was lost.
 *
 * @param leases how many there were
 * @param begun during how many of them the job had begun, or may have: only then can it be what ended the worker
 */
public record Losses(int leases, int begun) {
    public static final Losses NONE = new Losses(0, 0);
}
