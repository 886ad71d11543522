package dev.millrace.worker.internal.handler;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.worker.JobException;
import dev.millrace.worker.internal.jobapi.JobApiAnswer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waits for the scheduler's answers to calls of a handler. */
final class HandlerAnswers {
    private HandlerAnswers() {}

    static JsonNode await(CompletableFuture<JobApiAnswer> coming, ObjectMapper json) throws InterruptedException {
        try {
            JobApiAnswer answer = coming.get();
            if (answer instanceof JobApiAnswer.Failed failed) {
                boolean isRetryable = !failed.name().equals(JobApiAnswer.Failed.INVALID_CALL);
                throw new JobException(failed.name(), failed.message(), isRetryable);
            }
            return json.readTree(((JobApiAnswer.Value) answer).json());
        } catch (ExecutionException | JsonProcessingException e) {
            throw new JobException(
                    JobApiAnswer.Failed.SCHEDULER_UNAVAILABLE, "The scheduler's answer cannot be read: " + e, true);
        }
    }
}
