package dev.millrace.scheduler.attempt;

import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.queue.core.AttemptDecision.Requeue;
import dev.millrace.scheduler.queue.core.QueuedJob;

/** Keeps the attempts that end without ending their jobs. Jobs that succeed at once cost nothing. */
public final class AttemptFeature implements LaneFeature {
    /** Largest number of attempts of a job that are kept; of later ones only the last is known. */
    public static final int ATTEMPTS_MAX = 100;

    private final FlushPlan plan;

    public AttemptFeature(FlushPlan plan) {
        this.plan = plan;
    }

    @Override
    public void requeued(QueuedJob job, Requeue requeue, long runMicros, String workerName) {
        if (requeue.newAttempt() && job.attempt() <= ATTEMPTS_MAX) {
            requeue.error()
                    .ifPresent(error -> plan.add(
                            RecordAttemptsStatement.SECTION,
                            new EndedAttempt(
                                    job, runMicros, plan.context().started().startOf(job.id()), workerName, error)));
        }
    }
}
