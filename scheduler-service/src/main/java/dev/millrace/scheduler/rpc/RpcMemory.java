package dev.millrace.scheduler.rpc;

import static java.util.Objects.requireNonNull;

import dev.millrace.memory.MemoryPart;
import java.util.Set;

/**
 * Budgets for the messages of calls.
 *
 * @param requests requests, from their first byte to the end of their call; calls beyond the budget are rejected
 * @param answers large responses that callers have not taken yet; calls beyond the budget are rejected
 * @param sessions messages of workers on their way to a lane or the log; they cannot be rejected, so workers are not
 *     read while the budget is used up
 * @param sessionMessageBytesMax largest message of a worker, which is accepted even if it exceeds other limits
 * @param sessionMethods full names of the methods whose messages belong to {@code sessions}
 */
public record RpcMemory(
        MemoryPart requests,
        MemoryPart answers,
        MemoryPart sessions,
        int sessionMessageBytesMax,
        Set<String> sessionMethods) {
    public RpcMemory {
        requireNonNull(requests, "requests");
        requireNonNull(answers, "answers");
        requireNonNull(sessions, "sessions");
        sessionMethods = Set.copyOf(sessionMethods);
    }
}
