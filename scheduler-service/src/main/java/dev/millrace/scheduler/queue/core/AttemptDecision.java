package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** The consequence of the end of an attempt: the job ends or is requeued. */
public sealed interface AttemptDecision {
    int MILLIS_PER_SECOND = 1_000;

    record End(Outcome outcome) implements AttemptDecision {
        public End {
            requireNonNull(outcome, "outcome");
        }
    }

    /** Whether a job is requeued because its worker was lost. */
    enum Loss {
        NONE,
        /** The job is not known to have begun. */
        BEFORE_BEGIN,
        /** The job was running, or may have been. */
        WHILE_BEGUN
    }

    /**
     * The job is requeued.
     *
     * @param delay wait before the job may begin again
     * @param newAttempt whether the next lease is a new attempt
     * @param note message for the job's log; empty for none
     */
    record Requeue(Duration delay, boolean newAttempt, Loss loss, String note, Optional<JobError> error)
            implements AttemptDecision {
        public Requeue {
            requireNonNull(delay, "delay");
            requireNonNull(loss, "loss");
            requireNonNull(note, "note");
            requireNonNull(error, "error");
        }
    }

    /**
     * Decides whether the job ends or is requeued.
     *
     * @param job the job as it was leased
     * @param result how the attempt ended
     * @param lossesMax number of lost workers after which the job fails
     * @param random from 0 to 1, for the jitter of the retry delay
     */
    static AttemptDecision decide(QueuedJob job, AttemptResult result, int lossesMax, double random) {
        return switch (result) {
            case AttemptResult.Succeeded(Json value) -> new End(new Outcome.Succeeded(value));
            case AttemptResult.Failed(JobError error) -> afterFailure(job, error, random);
            case AttemptResult.Returned _ -> new Requeue(Duration.ZERO, false, Loss.NONE, "", Optional.empty());
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
        String note = "Attempt " + job.attempt() + " failed: " + sentence(error.name() + ": " + error.message())
                + " Retry " + (retriesDone + 1) + " of " + retry.retriesMax() + " follows in " + inWords(delay) + ".";
        return new Requeue(delay, true, Loss.NONE, note, Optional.of(error));
    }

    private static String sentence(String text) {
        return text.matches("(?s).*[.!?…]\\s*") ? text.stripTrailing() : text.stripTrailing() + ".";
    }

    private static String inWords(Duration delay) {
        return delay.toMillis() < MILLIS_PER_SECOND
                ? delay.toMillis() + " ms"
                : String.format(Locale.ROOT, "%.2f s", (double) delay.toMillis() / MILLIS_PER_SECOND);
    }

    /**
     * Decides after the loss of a worker. A job that had not begun does not count the loss. Still, its next lease is a
     * new attempt. The worker may only have been silent, and may begin the job before it learns that its session has
     * expired.
     */
    private static AttemptDecision afterLoss(QueuedJob job, String worker, boolean begun, int lossesMax) {
        if (job.keepsToWorker()) {
            return new End(new Outcome.Failed(JobGroup.folderLost(worker)));
        }
        if (!begun) {
            String note = "Worker \"" + worker + "\" was lost before the job had begun there; the job is requeued.";
            return lost(Loss.BEFORE_BEGIN, note);
        }
        int losses = job.losses().begun() + 1;
        if (losses >= lossesMax) {
            return new End(new Outcome.Failed(JobError.permanent(
                    JobError.WORKER_LOST,
                    "The worker was lost " + losses + (losses == 1 ? " time" : " times")
                            + " while it ran this job, the last time \""
                            + worker
                            + (job.runsAlone(lossesMax) ? "\", where it ran alone, so this job is the cause." : "\".")
                            + " Find out why, for example memory or a crash, then retry the run.")));
        }
        String note = "Worker \"" + worker + "\" was lost during attempt " + job.attempt() + "; the job is requeued.";
        return lost(Loss.WHILE_BEGUN, note);
    }

    private static Requeue lost(Loss loss, String note) {
        return new Requeue(
                Duration.ZERO, true, loss, note, Optional.of(JobError.permanent(JobError.WORKER_LOST, note)));
    }
}
