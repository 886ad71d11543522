package dev.millrace.scheduler.queue;

/**
 * Time of the slots of a worker, added up over its slots.
 *
 * @param usedNanos time in which a slot had a job
 * @param allNanos time in which there was a slot
 */
public record SlotTime(long usedNanos, long allNanos) {
    public static final SlotTime ZERO = new SlotTime(0, 0);
}
