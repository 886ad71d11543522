package dev.millrace.scheduler;

import dev.millrace.memory.MemoryBudget;
import dev.millrace.memory.MemoryPart;
import dev.millrace.scheduler.rpc.RpcMemory;
import dev.millrace.scheduler.worker.Workers;
import java.util.List;

/**
 * The parts of the heap that a scheduler reserves for data that others send or request.
 *
 * <p>The rest of the heap is for classes, caches and connections. It also holds the copies of a message on its way to
 * the database, about three times the bytes on the wire.
 *
 * @param requests messages of calls, see {@link RpcMemory}
 * @param answers large responses that were not delivered yet
 * @param results results of jobs on their way to a lane
 * @param logs log text on its way to the database
 * @param followers responses to followers of runs and logs
 * @param flows live flows in the memory of lanes
 * @param blobs blobs on their way to or from their stores
 */
record SchedulerMemory(
        MemoryPart requests,
        MemoryPart answers,
        MemoryPart results,
        MemoryPart logs,
        MemoryPart followers,
        MemoryPart flows,
        MemoryPart blobs) {
    /** Share of the heap. */
    private static final double SHARE = 0.4;
    /** Share of the heap for blobs, which few installations have. */
    private static final double BLOBS_SHARE = 0.1;
    /** Fractions of the share; their sum is at most 1. */
    private static final double REQUESTS = 0.16;

    private static final double ANSWERS = 0.16;
    private static final double RESULTS = 0.16;
    private static final double LOGS = 0.08;
    private static final double FOLLOWERS = 0.08;
    private static final double FLOWS = 0.36;

    /** Size of everything in a worker's message that may precede a large result. */
    private static final int SESSION_MESSAGE_BYTES = 2 << 20;

    static SchedulerMemory ofHeap() {
        MemoryBudget budget = MemoryBudget.ofHeap(SHARE);
        return new SchedulerMemory(
                budget.part("requests", REQUESTS),
                budget.part("answers", ANSWERS),
                budget.part("results", RESULTS),
                budget.part("logs", LOGS),
                budget.part("followers", FOLLOWERS),
                budget.part("flows", FLOWS),
                MemoryBudget.ofHeap(BLOBS_SHARE).part("blobs", 1));
    }

    /** All parts. */
    List<MemoryPart> parts() {
        return List.of(requests, answers, results, logs, followers, flows, blobs);
    }

    /** @param payloadBytesMax largest result, in bytes */
    RpcMemory ofCalls(int payloadBytesMax) {
        return new RpcMemory(
                requests,
                answers,
                results,
                Math.addExact(payloadBytesMax, SESSION_MESSAGE_BYTES),
                Workers.WAIT_FREE_METHODS);
    }
}
