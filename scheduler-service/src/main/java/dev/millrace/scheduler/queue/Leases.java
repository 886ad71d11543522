package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases that this scheduler knows of, so that a result needs no query. A lease that is missing here may still stand in the
 * database, which alone decides. Thread-safe.
 */
public final class Leases {
    private final Map<JobId, LeasedJob> leases = new ConcurrentHashMap<>();

    public Optional<LeasedJob> find(JobId job) {
        return Optional.ofNullable(leases.get(job));
    }

    public void add(LeasedJob lease) {
        leases.put(lease.job().id(), lease);
    }

    /** Forgets a lease, unless the job has been leased anew. Returns whether it was there. */
    public boolean remove(LeasedJob lease) {
        return leases.remove(lease.job().id(), lease);
    }

    /** The leases of one session. Walks all of them: for life-cycle events only. */
    public List<LeasedJob> of(SessionId session) {
        return leases.values().stream()
                .filter(lease -> lease.seat().session().equals(session))
                .toList();
    }
}
