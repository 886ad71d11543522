package dev.millrace.worker.internal.handler;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.worker.JobException;
import dev.millrace.worker.internal.step.StepAnswer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waits for the scheduler's answers to calls of a handler. */
final class HandlerAnswers {
    private HandlerAnswers() {}

    static JsonNode await(CompletableFuture<StepAnswer> coming, ObjectMapper json) throws InterruptedException {
        try {
            StepAnswer answer = coming.get();
            if (answer instanceof StepAnswer.Failed failed) {
                boolean isRetryable = !failed.name().equals(StepAnswer.Failed.INVALID_CALL);
                throw new JobException(failed.name(), failed.message(), isRetryable);
            }
            return json.readTree(((StepAnswer.Value) answer).json());
        } catch (ExecutionException | JsonProcessingException e) {
            throw new JobException(
                    StepAnswer.Failed.SCHEDULER_UNAVAILABLE, "The scheduler's answer cannot be read: " + e, true);
        }
    }
}
