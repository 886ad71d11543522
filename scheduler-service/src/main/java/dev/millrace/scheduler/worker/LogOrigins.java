package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.WorkerLog;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Determines the job and attempt of a log chunk from its lease.
 *
 * <p>Memory knows the current leases. The database also knows leases that memory does not contain yet, for example
 * after a restart, and leases that have ended. The latter matter because a worker resends logs until they are stored,
 * possibly long after the job's result was accepted.
 */
final class LogOrigins {
    private final LogOriginStore store;
    private final Leases leases;

    LogOrigins(LogOriginStore store, Leases leases) {
        this.store = store;
        this.leases = leases;
    }

    /** The lease of a log chunk. */
    static LeaseKey leaseOf(WorkerLog chunk) {
        return new LeaseKey(JobId.parse(chunk.getJobId()), new LeaseToken(chunk.getLeaseToken()));
    }

    /** The attempt that a lease is for. */
    record Origin(RunId run, String stepKey, int attempt) {}

    /**
     * Returns the origins of the leases of these chunks if memory knows all of them. It may forget them at any moment, so
     * whoever must not query the database keeps the answer.
     */
    Optional<Map<LeaseKey, Origin>> remembered(List<WorkerLog> chunks) {
        Map<LeaseKey, Origin> found = new HashMap<>();
        for (WorkerLog chunk : chunks) {
            LeaseKey key = leaseOf(chunk);
            if (found.containsKey(key)) {
                continue;
            }
            Optional<Origin> origin = remembered(key);
            if (origin.isEmpty()) {
                return Optional.empty();
            }
            found.put(key, origin.get());
        }
        return Optional.of(found);
    }

    /** Returns the origins of the leases of these chunks. A lease is missing if it never existed or was revoked. */
    Map<LeaseKey, Origin> find(List<WorkerLog> chunks) {
        Map<LeaseKey, Origin> found = new HashMap<>();
        Set<LeaseKey> unknown = new HashSet<>();
        for (WorkerLog chunk : chunks) {
            LeaseKey key = leaseOf(chunk);
            remembered(key).ifPresentOrElse(origin -> found.put(key, origin), () -> unknown.add(key));
        }
        if (!unknown.isEmpty()) {
            found.putAll(store.find(unknown));
        }
        return found;
    }

    private Optional<Origin> remembered(LeaseKey key) {
        return leases.find(key).map(LeasedJob::job).map(job -> new Origin(job.run(), job.stepKey(), job.attempt()));
    }
}
