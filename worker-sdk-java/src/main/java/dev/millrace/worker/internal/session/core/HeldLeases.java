package dev.millrace.worker.internal.session.core;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one session: those that the worker holds, and those that have ended here. A lease begins at most once in a
 * session, and never after its end, even if the scheduler sends it again or cancels it before it sends it. Not thread-safe.
 *
 * @param <K> identity of a lease, with its token: the next lease of the same job is another one
 * @param <J> what the worker holds for a lease
 */
public final class HeldLeases<K, J> {
    /**
     * Most ended leases that are remembered. A scheduler that sends an ended lease again does so within seconds, during which
     * a worker ends fewer jobs.
     */
    public static final int ENDED_MAX = 20_000;

    /** What to do with a lease that arrives. */
    public enum Arrival {
        /** The job of the lease may begin. */
        NEW,
        /** The worker holds the lease already: its message arrived twice. */
        HELD,
        /** The lease has ended in this session: its job must not begin. */
        ENDED
    }

    private final Map<K, J> held = new LinkedHashMap<>();
    private final Set<K> ended = new LinkedHashSet<>();

    public Arrival arrival(K lease) {
        if (held.containsKey(lease)) {
            return Arrival.HELD;
        }
        return ended.contains(lease) ? Arrival.ENDED : Arrival.NEW;
    }

    /** Holds a lease that is {@link Arrival#NEW}. */
    public void hold(K lease, J job) {
        held.put(lease, job);
    }

    /** Ends a lease, which need not have arrived yet. Returns what the worker held for it. */
    public @Nullable J end(K lease) {
        if (ended.add(lease) && ended.size() > ENDED_MAX) {
            Iterator<K> oldest = ended.iterator();
            oldest.next();
            oldest.remove();
        }
        return held.remove(lease);
    }

    /** Forgets what has ended, because the session is lost and the next one has other leases. */
    public void forgetEnded() {
        ended.clear();
    }

    public int count() {
        return held.size();
    }

    public List<K> leases() {
        return List.copyOf(held.keySet());
    }

    public Collection<J> jobs() {
        return List.copyOf(held.values());
    }
}
