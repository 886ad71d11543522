package dev.millrace.scheduler.worker;

import java.time.Instant;

/**
 * Says that a worker gets no more jobs.
 *
 * @param actor who drains it
 * @param reason why; empty if the actor did not say
 * @param groups number of groups of jobs that have not ended and that only this worker may run
 */
record WorkerDrain(String actor, String reason, Instant since, int groups) {
    /** Maximum length of a reason, in characters. */
    static final int REASON_LENGTH_MAX = 500;
}
