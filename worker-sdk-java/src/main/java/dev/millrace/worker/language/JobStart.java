package dev.millrace.worker.language;

import static java.util.Objects.requireNonNull;

/**
 * What a process of a language that runs {@linkplain ProcessUse#ONCE once} is told about its job.
 *
 * @param jobId id of the job
 * @param runId id of the run
 * @param step key of the step; empty if the job is the whole run
 * @param attempt number of the attempt, from 1
 * @param idempotencyKey UUID that is the same in all attempts of the step
 * @param input input as a JSON object, with the values of secrets
 */
public record JobStart(String jobId, String runId, String step, int attempt, String idempotencyKey, String input) {
    public JobStart {
        requireNonNull(jobId, "jobId");
        requireNonNull(runId, "runId");
        requireNonNull(step, "step");
        requireNonNull(idempotencyKey, "idempotencyKey");
        requireNonNull(input, "input");
    }
}
