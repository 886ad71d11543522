package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.LeaseReceiver.Cancellation;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Comparison of the leases in memory with those in the database, which heals what a lost message has left behind. */
final class LeaseComparison {
    private final SessionStore store;
    private final Leases leases;
    private final SlotBoard slots;
    private final StartedJobs started;
    private final Lanes lanes;
    private final Map<SessionId, WorkerSession> connected;
    /**
     * Leases about which memory and database disagreed at the last comparison. Only the loop of the keeper uses this
     * field.
     */
    private Set<LeaseKey> doubtful = Set.of();

    /** @param connected the sessions that are connected here; others change the map */
    LeaseComparison(
            SessionStore store,
            Leases leases,
            SlotBoard slots,
            StartedJobs started,
            Lanes lanes,
            Map<SessionId, WorkerSession> connected) {
        this.store = store;
        this.leases = leases;
        this.slots = slots;
        this.started = started;
        this.lanes = lanes;
        this.connected = connected;
    }

    /**
     * Compares the leases of sessions connected here with the database, and heals differences that persist over two
     * comparisons. It sends leases that were never sent, and tells workers about leases that have ended. Returns
     * whether there is a difference now. Reads the database.
     */
    boolean compare(Collection<SessionId> sessions) {
        Map<LeaseKey, LeasedJob> believed = new HashMap<>();
        for (LeasedJob lease : leases.of(Set.copyOf(sessions))) {
            believed.put(lease.key(), lease);
        }
        Set<LeaseKey> real = sessions.isEmpty() ? Set.of() : new HashSet<>(store.leasesOf(sessions));
        Set<LeaseKey> differing = new HashSet<>();
        boolean unsent = false;
        for (LeaseKey lease : real) {
            if (!isSent(lease)) {
                differing.add(lease);
                unsent |= doubtful.contains(lease);
            }
        }
        believed.forEach((held, lease) -> {
            if (!real.contains(held)) {
                differing.add(held);
                if (doubtful.contains(held)) {
                    leaseEnded(
                            lease,
                            "The lease has ended: the run was canceled, or the job was given to another worker.");
                }
            }
        });
        if (unsent) {
            var _ = lanes.resync();
        }
        doubtful = differing;
        return !differing.isEmpty();
    }

    /** Whether memory knows the lease, and the worker, too: the lease was sent on its stream or named when it connected. */
    private boolean isSent(LeaseKey lease) {
        return leases.find(lease)
                .map(known -> connected.get(known.slot().session()))
                .filter(session -> session.knows(lease))
                .isPresent();
    }

    /** Takes a lease that has ended from its worker. */
    void leaseEnded(LeasedJob lease, String reason) {
        if (leases.end(lease.key()).isPresent()) {
            slots.release(lease.slot(), 1);
            started.ended(lease.job().id());
            Optional.ofNullable(connected.get(lease.slot().session()))
                    .ifPresent(session ->
                            session.cancel(List.of(new Cancellation(lease.job().id(), lease.token(), reason))));
        }
    }
}
