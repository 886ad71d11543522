package dev.millrace.scheduler;

import dev.millrace.memory.MemoryBudget;
import dev.millrace.memory.MemoryPart;
import dev.millrace.scheduler.rpc.RpcMemory;
import dev.millrace.scheduler.worker.Workers;

/**
 * What of the heap a scheduler may use for whatever others send it or ask of it. The rest of the heap is for its classes, caches and connections,
 * and for what a byte on the wire becomes on its way to the database: about three times as much.
 *
 * @param requests messages of calls, see {@link RpcMemory}
 * @param answers large answers that were not taken yet
 * @param results results of jobs on their way to a lane
 * @param logs log text on its way to the database
 * @param followers those who follow runs and logs
 * @param flows live flows in the memory of lanes
 */
record SchedulerMemory(
        MemoryPart requests,
        MemoryPart answers,
        MemoryPart results,
        MemoryPart logs,
        MemoryPart followers,
        MemoryPart flows) {
    /** Of the heap. */
    private static final double SHARE = 0.4;
    /** Of the share; together at most 1. */
    private static final double REQUESTS = 0.16;

    private static final double ANSWERS = 0.16;
    private static final double RESULTS = 0.16;
    private static final double LOGS = 0.08;
    private static final double FOLLOWERS = 0.08;
    private static final double FLOWS = 0.36;

    /** What a message of a worker may hold beside a result: others that were gathered before it. */
    private static final int SESSION_MESSAGE_BYTES = 2 << 20;

    static SchedulerMemory ofHeap() {
        MemoryBudget budget = MemoryBudget.ofHeap(SHARE);
        return new SchedulerMemory(
                budget.part("requests", REQUESTS),
                budget.part("answers", ANSWERS),
                budget.part("results", RESULTS),
                budget.part("logs", LOGS),
                budget.part("followers", FOLLOWERS),
                budget.part("flows", FLOWS));
    }

    /** @param payloadBytesMax of one result */
    RpcMemory ofCalls(int payloadBytesMax) {
        return new RpcMemory(
                requests,
                answers,
                results,
                Math.addExact(payloadBytesMax, SESSION_MESSAGE_BYTES),
                Workers.WAIT_FREE_METHODS);
    }
}
