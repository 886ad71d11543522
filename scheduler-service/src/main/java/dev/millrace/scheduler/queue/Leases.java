package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    /** Notes a lease; returns whether it was not known before. */
    public boolean add(LeasedJob lease) {
        LeasedJob before = leases.put(lease.job().id(), lease);
        return before == null || !before.token().equals(lease.token());
    }

    /** Forgets a lease, unless the job has been leased anew. Returns whether it was there. */
    public boolean remove(LeasedJob lease) {
        return leases.remove(lease.job().id(), lease);
    }

    /** The leases of one session. Walks all of them: for life-cycle events only. */
    public List<LeasedJob> of(SessionId session) {
        return of(Set.of(session));
    }

    /** The leases of several sessions. Walks all of them. */
    public List<LeasedJob> of(Set<SessionId> sessions) {
        return leases.values().stream()
                .filter(lease -> sessions.contains(lease.slot().session()))
                .toList();
    }
}
