package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** What follows from the end of an attempt: the job ends, or goes back to the queue. */
public sealed interface AttemptDecision {
    /** The job ends. */
    record End(Outcome outcome) implements AttemptDecision {
        public End {
            requireNonNull(outcome, "outcome");
        }
    }

    /** Whether a job goes back because its worker was lost. */
    enum Loss {
        NONE,
        /** Before the job had begun, as far as anybody knows. */
        BEFORE_BEGIN,
        /** While the job ran, or may have. */
        WHILE_BEGUN
    }

    /**
     * The job goes back to the queue.
     *
     * @param delay wait before it may begin again
     * @param newAttempt whether the next lease is another attempt
     * @param note what to tell in the job's log; empty for nothing
     */
    record Requeue(Duration delay, boolean newAttempt, Loss loss, String note) implements AttemptDecision {
        public Requeue {
            requireNonNull(delay, "delay");
            requireNonNull(loss, "loss");
            requireNonNull(note, "note");
        }
    }

    /**
     * Decides what follows.
     *
     * @param job the job as it was leased
     * @param result how the attempt ended
     * @param lossesMax after this many lost workers the job fails instead of circling
     * @param random from 0 to 1, for the jitter of the retry delay
     */
    static AttemptDecision decide(QueuedJob job, AttemptResult result, int lossesMax, double random) {
        return switch (result) {
            case AttemptResult.Succeeded(Json value) -> new End(new Outcome.Succeeded(value));
            case AttemptResult.Failed(JobError error) -> afterFailure(job, error, random);
            case AttemptResult.Returned _ -> new Requeue(Duration.ZERO, false, Loss.NONE, "");
            case AttemptResult.WorkerLost(String worker, boolean begun) -> afterLoss(job, worker, begun, lossesMax);
        };
    }

    private static AttemptDecision afterFailure(QueuedJob job, JobError error, double random) {
        RetryPolicy retry = job.options().retry();
        int retriesDone = job.attempt() - 1 - job.losses().leases();
        if (!retry.mayRetry(error) || retriesDone >= retry.retriesMax()) {
            return new End(new Outcome.Failed(error));
        }
        Duration delay = retry.delayBefore(retriesDone + 1, random);
        String note = "Attempt " + job.attempt() + " failed: " + error.name() + ": " + error.message() + " Retry "
                + (retriesDone + 1) + " of " + retry.retriesMax() + " follows in " + delay.toMillis() + " ms.";
        return new Requeue(delay, true, Loss.NONE, note);
    }

    /**
     * A job that had not begun has done nothing to its worker. Yet its next lease is another attempt: the worker may only have been silent, and begin the
     * job before it hears that its time is over.
     */
    private static AttemptDecision afterLoss(QueuedJob job, String worker, boolean begun, int lossesMax) {
        if (job.keepsToWorker()) {
            return new End(new Outcome.Failed(JobGroup.folderLost(worker)));
        }
        if (!begun) {
            String note = "Worker \"" + worker
                    + "\" was lost before the job had begun there; the job goes back to the queue.";
            return new Requeue(Duration.ZERO, true, Loss.BEFORE_BEGIN, note);
        }
        int losses = job.losses().begun() + 1;
        if (losses >= lossesMax) {
            return new End(new Outcome.Failed(JobError.permanent(
                    "WorkerLost",
                    "The worker was lost " + losses + (losses == 1 ? " time" : " times")
                            + " while it ran this job, the last time \""
                            + worker
                            + (job.runsAlone(lossesMax) ? "\", where it ran alone: this job ends its worker." : "\".")
                            + " Look for how: memory, a crash, a kill. Then retry the run.")));
        }
        String note = "Worker \"" + worker + "\" was lost during attempt " + job.attempt()
                + "; the job goes back to the queue.";
        return new Requeue(Duration.ZERO, true, Loss.WHILE_BEGUN, note);
    }
}
