package dev.millrace.scheduler.queue.core;

/**
 * Counts the leases of a job that ended because the worker was lost.
 *
 * @param leases number of such leases
 * @param begun number of such leases during which the job had begun, or may have begun; only these can have caused the
 *     loss
 */
public record Losses(int leases, int begun) {
    public static final Losses NONE = new Losses(0, 0);
}
