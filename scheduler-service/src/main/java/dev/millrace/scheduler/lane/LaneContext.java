package dev.millrace.scheduler.lane;

import dev.millrace.memory.MemoryPart;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.TagRoutes;
import dev.millrace.scheduler.queue.core.Backlog;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.runtime.EventBus;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;

/**
 * State that all lanes of a scheduler share.
 *
 * @param lossesMax number of lost workers after which a job fails
 * @param routes tags under which jobs wait
 * @param results memory budget of the results that wait for a lane
 * @param features features of every flush, in the order in which they are called
 * @param observer learns what lanes have committed
 * @param largeReads permits for preparations that read large results into memory
 */
public record LaneContext(
        SchedulerId scheduler,
        IdSource ids,
        RandomGenerator random,
        SlotBoard slots,
        TagRoutes routes,
        Backlog backlog,
        Leases leases,
        StartedJobs started,
        RunEvents events,
        EventBus bus,
        int lossesMax,
        MemoryPart results,
        Semaphore largeReads,
        LaneObserver observer,
        List<LaneFeature.Maker> features) {}
