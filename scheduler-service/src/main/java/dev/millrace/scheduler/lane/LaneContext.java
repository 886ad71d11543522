package dev.millrace.scheduler.lane;

import dev.millrace.memory.MemoryPart;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.Backlog;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.runtime.EventBus;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;

/**
 * What all lanes of a scheduler share.
 *
 * @param lossesMax after this many lost workers a job fails
 * @param results memory of the results that wait for a lane
 * @param features that take part in flushes, in the order in which they are asked
 * @param largeReads turns of preparations that read large results, which are in memory meanwhile
 */
public record LaneContext(
        SchedulerId scheduler,
        IdSource ids,
        RandomGenerator random,
        SlotBoard slots,
        Backlog backlog,
        Leases leases,
        StartedJobs started,
        RunEvents events,
        EventBus bus,
        int lossesMax,
        MemoryPart results,
        Semaphore largeReads,
        List<LaneFeature.Maker> features) {}
