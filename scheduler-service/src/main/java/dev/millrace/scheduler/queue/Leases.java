package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases that this scheduler knows of, so that applying a result needs no query. A lease that is missing here may
 * still exist in the database, which alone decides. Thread-safe.
 */
public final class Leases {
    private final Map<JobId, LeasedJob> leases = new ConcurrentHashMap<>();

    public Optional<LeasedJob> find(JobId job) {
        return Optional.ofNullable(leases.get(job));
    }

    /** Adds a lease. Returns whether it was unknown. */
    public boolean add(LeasedJob lease) {
        LeasedJob before = leases.put(lease.job().id(), lease);
        return before == null || !before.token().equals(lease.token());
    }

    /** Removes a lease, unless the job has a newer one. Returns whether it was present. */
    public boolean remove(LeasedJob lease) {
        return leases.remove(lease.job().id(), lease);
    }

    /** Returns the leases of a session. Visits all leases, so use it only for life-cycle events. */
    public List<LeasedJob> of(SessionId session) {
        return of(Set.of(session));
    }

    /** Returns the leases of several sessions. Visits all leases. */
    public List<LeasedJob> of(Set<SessionId> sessions) {
        return leases.values().stream()
                .filter(lease -> sessions.contains(lease.slot().session()))
                .toList();
    }
}
