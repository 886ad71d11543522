package dev.millrace.scheduler.queue.core;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What one scheduler knows about the claimable jobs that wait in the database. For each tag, it knows nothing, or that
 * no job waits, or that none waits before a certain place.
 *
 * <p>A new job may bypass the queue only if it overtakes no job that waits or may be waiting. For the route of a
 * session, the default is the opposite: no job waits unless this scheduler enqueued it or was told about it.
 *
 * <p>Thread-safe by one lock. The findings of a claim count only if nothing was added since the claim began; see
 * {@link #changes}.
 */
public final class Backlog {
    /**
     * An empty value means that no job waits. If a tag has no entry, its queue is unknown; the queue of a route is then
     * empty.
     */
    private final Map<String, Optional<ClaimOrder>> bounds = new HashMap<>();

    private long changes;

    /** Returns the number of additions and invalidations so far. */
    public synchronized long changes() {
        return changes;
    }

    /** Returns whether a new job in this place overtakes no other. */
    public synchronized boolean mayPass(String tag, ClaimOrder order) {
        return boundOf(tag).map(bound -> order.compareTo(bound) <= 0).orElse(true);
    }

    /** Returns whether jobs with this tag may be waiting. */
    public synchronized boolean mayWait(String tag) {
        return boundOf(tag).isPresent();
    }

    private Optional<ClaimOrder> boundOf(String tag) {
        Optional<ClaimOrder> bound = bounds.get(tag);
        return bound == null ? unknown(tag) : bound;
    }

    private static Optional<ClaimOrder> unknown(String tag) {
        return JobGroup.isRoute(tag) ? Optional.empty() : Optional.of(ClaimOrder.FIRST);
    }

    /** Records that a job was enqueued in this place. */
    public synchronized void added(String tag, ClaimOrder order) {
        changes++;
        Optional<ClaimOrder> bound = bounds.get(tag);
        if (bound == null && !JobGroup.isRoute(tag)) {
            return;
        }
        bounds.put(
                tag,
                Optional.of(boundOf(tag)
                        .filter(present -> present.compareTo(order) <= 0)
                        .orElse(order)));
    }

    /**
     * Records that a claim over these tags, begun at {@code changesSeen}, returned fewer jobs than requested, so that
     * none are left.
     */
    public synchronized void drained(Collection<String> tags, long changesSeen) {
        if (changes != changesSeen) {
            return;
        }
        tags.forEach(this::empty);
    }

    /**
     * Records that a claim over these tags, begun at {@code changesSeen}, returned all jobs it requested, the last one
     * in this place.
     */
    public synchronized void claimedUpTo(Collection<String> tags, ClaimOrder last, long changesSeen) {
        if (changes != changesSeen) {
            return;
        }
        tags.forEach(tag -> bounds.put(tag, Optional.of(last)));
    }

    /** Forgets the queue of a tag, because another scheduler may have added jobs to it. */
    public synchronized void forget(String tag) {
        changes++;
        if (JobGroup.isRoute(tag)) {
            bounds.put(tag, Optional.of(ClaimOrder.FIRST));
        } else {
            bounds.remove(tag);
        }
    }

    /** Removes the queue of a tag that leads to an ended session. No job will wait there again. */
    public synchronized void close(String tag) {
        bounds.remove(tag);
    }

    private void empty(String tag) {
        if (JobGroup.isRoute(tag)) {
            bounds.remove(tag);
        } else {
            bounds.put(tag, Optional.empty());
        }
    }

    /** Forgets everything. */
    public synchronized void forgetAll() {
        changes++;
        bounds.keySet().removeIf(tag -> !JobGroup.isRoute(tag));
        bounds.replaceAll((tag, bound) -> Optional.of(ClaimOrder.FIRST));
    }
}
