package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.WorkerLog;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells of which job and attempt a log chunk is, by its lease. Memory knows the leases that are held; the database also knows those that memory
 * has not got yet, as after a restart, and those that have ended: a worker sends what its jobs printed again until it is stored, which may be long
 * after a job's result was accepted.
 */
final class LogOrigins {
    private final LogOriginStore store;
    private final Leases leases;

    LogOrigins(LogOriginStore store, Leases leases) {
        this.store = store;
        this.leases = leases;
    }

    /** A lease as a log chunk names it. */
    record LeaseKey(JobId job, LeaseToken token) {
        static LeaseKey of(WorkerLog chunk) {
            return new LeaseKey(JobId.parse(chunk.getJobId()), new LeaseToken(chunk.getLeaseToken()));
        }
    }

    /** The attempt that a lease was for. */
    record Origin(RunId run, String stepKey, int attempt) {}

    /** Whether memory knows the leases of all these chunks, so that {@link #find} does not wait for the database. */
    boolean knowsAll(List<WorkerLog> chunks) {
        for (WorkerLog chunk : chunks) {
            if (remembered(LeaseKey.of(chunk)).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** The origins of the leases of these chunks; a lease is absent if it never was, or was taken from the worker. */
    Map<LeaseKey, Origin> find(List<WorkerLog> chunks) {
        Map<LeaseKey, Origin> found = new HashMap<>();
        Set<LeaseKey> unknown = new HashSet<>();
        for (WorkerLog chunk : chunks) {
            LeaseKey key = LeaseKey.of(chunk);
            remembered(key).ifPresentOrElse(origin -> found.put(key, origin), () -> unknown.add(key));
        }
        if (!unknown.isEmpty()) {
            found.putAll(store.find(unknown));
        }
        return found;
    }

    private Optional<Origin> remembered(LeaseKey key) {
        return leases.find(key.job)
                .filter(lease -> lease.token().equals(key.token))
                .map(LeasedJob::job)
                .map(job -> new Origin(job.run(), job.stepKey(), job.attempt()));
    }
}
