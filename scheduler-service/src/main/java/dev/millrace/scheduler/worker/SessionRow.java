package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.scheduler.queue.core.SessionId;
import java.time.Instant;
import java.util.Optional;

/**
 * A session as stored in the database. JSON columns are unparsed.
 *
 * @param drain absent for a worker that gets jobs
 * @param occupancy absent until a scheduler has first kept the session alive
 * @param processes what the worker has reported about its processes; empty unless it is asked for
 */
record SessionRow(
        SessionId id,
        String workerName,
        String version,
        String runtimes,
        String labels,
        String slotGroups,
        boolean killable,
        int leasedJobs,
        Instant connectedAt,
        Instant heartbeatAt,
        Optional<WorkerDrain> drain,
        Optional<Occupancy> occupancy,
        ProcessReport processes) {}
