package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The leases that this scheduler knows of, so that applying a result needs no query. A lease that is missing here may
 * still exist in the database, which alone decides.
 *
 * <p>Several threads learn of leases and of their ends from the database, and act on what they learned later. So a lease
 * may end here before another thread adds it. Such a thread opens a {@link View} before it reads or writes leases in the
 * database, and adds what it found through that view, which refuses the leases that have ended since. Thread-safe.
 */
public final class Leases {
    /** The leases of each job: more than one only while this scheduler has not learned of the end of the others. */
    private final Map<JobId, List<LeasedJob>> leases = new ConcurrentHashMap<>();

    private final List<View> views = new CopyOnWriteArrayList<>();

    /** What has become of a lease that was to be added. */
    public enum Addition {
        /** The lease was unknown, and is known from here on. */
        NEW,
        /** Somebody else has added the lease. */
        KNOWN,
        /** The lease has ended since the view was opened. */
        ENDED
    }

    /**
     * A look at the leases in the database, which may grow old: it notes which leases end after it was opened. Close it
     * once nothing more is added.
     */
    public final class View implements AutoCloseable {
        private final Set<LeaseKey> ended = ConcurrentHashMap.newKeySet();

        private View() {}

        /** Adds a lease that the database has had since the view was opened, unless the lease has ended. */
        public Addition add(LeasedJob lease) {
            Addition[] addition = {Addition.ENDED};
            leases.compute(lease.job().id(), (_, known) -> {
                if (ended.contains(lease.key())) {
                    return known;
                }
                if (known != null && position(known, lease.key()) >= 0) {
                    addition[0] = Addition.KNOWN;
                    return known;
                }
                addition[0] = Addition.NEW;
                return with(known, lease);
            });
            return addition[0];
        }

        @Override
        public void close() {
            views.remove(this);
        }
    }

    /** Opens a view. Call it before the leases that are added through it are read from the database or written to it. */
    public View view() {
        View view = new View();
        views.add(view);
        return view;
    }

    /** Finds a lease of the job, whichever it is. */
    public Optional<LeasedJob> find(JobId job) {
        return Optional.ofNullable(leases.get(job)).map(List::getLast);
    }

    public Optional<LeasedJob> find(LeaseKey lease) {
        List<LeasedJob> known = leases.get(lease.job());
        if (known == null) {
            return Optional.empty();
        }
        int position = position(known, lease);
        return position < 0 ? Optional.empty() : Optional.of(known.get(position));
    }

    public boolean holds(LeaseKey lease) {
        return find(lease).isPresent();
    }

    /**
     * Removes a lease that has ended in the database, and keeps all open views from adding it. Returns the lease if it was
     * known. Call this before the worker is told.
     */
    public Optional<LeasedJob> end(LeaseKey lease) {
        return remove(lease, true);
    }

    /** Removes a lease that goes on elsewhere, or whose end is recorded later. */
    public void forget(LeaseKey lease) {
        var _ = remove(lease, false);
    }

    /** Replaces what is known of a job, if the lease is known. */
    public void refresh(LeasedJob lease) {
        leases.computeIfPresent(lease.job().id(), (_, known) -> {
            int position = position(known, lease.key());
            return position < 0 ? known : with(without(known, position), lease);
        });
    }

    /** Number of leases. */
    public int size() {
        return leases.size();
    }

    /** The sessions that have leases. Visits all leases. */
    public Set<SessionId> sessions() {
        return leases.values().stream()
                .flatMap(List::stream)
                .map(lease -> lease.slot().session())
                .collect(Collectors.toSet());
    }

    /** Returns the leases of a session. Visits all leases, so use it only for life-cycle events. */
    public List<LeasedJob> of(SessionId session) {
        return of(Set.of(session));
    }

    /** Returns the leases of several sessions. Visits all leases. */
    public List<LeasedJob> of(Set<SessionId> sessions) {
        return leases.values().stream()
                .flatMap(List::stream)
                .filter(lease -> sessions.contains(lease.slot().session()))
                .toList();
    }

    private Optional<LeasedJob> remove(LeaseKey lease, boolean hasEnded) {
        @Nullable LeasedJob[] removed = {null};
        leases.compute(lease.job(), (_, known) -> {
            // Within the computation, so that no view adds the lease between the note and the removal.
            if (hasEnded) {
                views.forEach(view -> view.ended.add(lease));
            }
            int position = known == null ? -1 : position(known, lease);
            if (known == null || position < 0) {
                return known;
            }
            removed[0] = known.get(position);
            return without(known, position);
        });
        return Optional.ofNullable(removed[0]);
    }

    private static int position(List<LeasedJob> known, LeaseKey lease) {
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i).token().equals(lease.token())) {
                return i;
            }
        }
        return -1;
    }

    private static List<LeasedJob> with(@Nullable List<LeasedJob> known, LeasedJob lease) {
        if (known == null) {
            return List.of(lease);
        }
        List<LeasedJob> more = new ArrayList<>(known);
        more.add(lease);
        return List.copyOf(more);
    }

    private static @Nullable List<LeasedJob> without(List<LeasedJob> known, int position) {
        if (known.size() == 1) {
            return null;
        }
        List<LeasedJob> fewer = new ArrayList<>(known);
        fewer.remove(position);
        return List.copyOf(fewer);
    }
}
