package dev.millrace.gateway;

import dev.millrace.memory.MemoryBudget;
import dev.millrace.memory.MemoryPart;
import java.util.List;

/**
 * Shares of the heap for requests and answers that pass through a gateway. A scheduler in the same process has its own
 * share.
 *
 * @param requests bodies of requests, held until the requests are answered
 * @param answers answers of the scheduler, held until they have been sent to the callers
 * @param calls what open requests take besides their bodies
 * @param connectionsMax largest number of open connections
 */
record GatewayMemory(MemoryPart requests, MemoryPart answers, MemoryPart calls, int connectionsMax) {
    /** Fraction of the heap. */
    private static final double SHARE = 0.2;
    /** Fractions of the share, together at most 1. */
    private static final double REQUESTS = 0.4;

    private static final double ANSWERS = 0.45;
    private static final double CALLS = 0.15;

    /**
     * Heap for each connection that may be open, outside the share. One whose client is an attacker takes up to 150 KiB ({@code
     * UnreadOutput}), and some 10 KiB of another.
     */
    private static final int CONNECTION_BYTES = 384 << 10;

    private static final int CONNECTIONS_MIN = 256;

    static GatewayMemory ofHeap() {
        MemoryBudget budget = MemoryBudget.ofHeap(SHARE);
        return new GatewayMemory(
                budget.part("requests", REQUESTS),
                budget.part("answers", ANSWERS),
                budget.part("calls", CALLS),
                Math.clamp(Runtime.getRuntime().maxMemory() / CONNECTION_BYTES, CONNECTIONS_MIN, Integer.MAX_VALUE));
    }

    List<MemoryPart> parts() {
        return List.of(requests, answers, calls);
    }
}
