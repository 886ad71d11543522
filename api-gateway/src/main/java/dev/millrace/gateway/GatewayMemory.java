package dev.millrace.gateway;

import dev.millrace.memory.MemoryBudget;
import dev.millrace.memory.MemoryPart;
import java.util.List;

/**
 * What of the heap a gateway may use for what passes through it. A scheduler in the same process has a share of its own beside it.
 *
 * @param requests bodies of requests, until these are answered
 * @param answers answers of the scheduler, until they have gone to their callers
 * @param connectionsMax connections that may be open at once
 */
record GatewayMemory(MemoryPart requests, MemoryPart answers, int connectionsMax) {
    /** Of the heap. */
    private static final double SHARE = 0.2;
    /** Of the share; together at most 1. */
    private static final double REQUESTS = 0.4;

    private static final double ANSWERS = 0.6;

    /** About what the HTTP server may hold for a connection, whatever it is used for; it lies outside of the share, and mostly outside of the heap. */
    private static final int CONNECTION_BYTES = 128 << 10;

    private static final int CONNECTIONS_MIN = 256;

    static GatewayMemory ofHeap() {
        MemoryBudget budget = MemoryBudget.ofHeap(SHARE);
        return new GatewayMemory(
                budget.part("requests", REQUESTS),
                budget.part("answers", ANSWERS),
                Math.clamp(Runtime.getRuntime().maxMemory() / CONNECTION_BYTES, CONNECTIONS_MIN, Integer.MAX_VALUE));
    }

    List<MemoryPart> parts() {
        return List.of(requests, answers);
    }
}
