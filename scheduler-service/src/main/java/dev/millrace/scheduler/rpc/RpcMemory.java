package dev.millrace.scheduler.rpc;

import static java.util.Objects.requireNonNull;

import dev.millrace.memory.MemoryPart;
import java.util.Set;

/**
 * The memory that calls may use.
 *
 * @param requests messages that callers send, from their first byte to the end of their call; more are refused
 * @param answers large messages that callers have not taken yet; more are refused
 * @param sessions messages of workers on their way to a lane or the log, which cannot be refused: while it is full, workers are not read
 * @param sessionMessageBytesMax the largest message that a worker may have to send, which is taken whatever the other limits say
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
