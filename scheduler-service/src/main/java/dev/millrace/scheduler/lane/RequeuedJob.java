package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.AttemptDecision;

/** A leased job that returns to the queue. */
public record RequeuedJob(LeasedJob lease, AttemptDecision.Requeue requeue) {
    boolean isDelayed() {
        return !requeue.delay().isZero();
    }

    /** Whether any worker may claim the job now. */
    boolean waits() {
        return !isDelayed() && lease.job().isClaimable();
    }
}
