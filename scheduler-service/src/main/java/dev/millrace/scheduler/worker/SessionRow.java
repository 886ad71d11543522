package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.queue.core.SessionId;
import java.time.Instant;

/** A session as the database keeps it; the JSON columns are kept as protobuf's JSON form. */
record SessionRow(
        SessionId id,
        String workerName,
        String version,
        String runtimes,
        String labels,
        String slotGroups,
        int leasedJobs,
        Instant connectedAt,
        Instant heartbeatAt) {}
