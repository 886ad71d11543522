package dev.millrace.scheduler.queue.core;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What one scheduler knows about the claimable jobs that wait in the database, for each tag: nothing, that there are none, or that
 * none stands before some place. A job may pass the queue only where it overtakes nobody who is known, or must be assumed, to wait.
 * Of the tags that lead to one session nothing need be known: no jobs wait unless this scheduler put them there or was told.
 * Thread-safe by one lock. What a claim found holds only if nothing was added since the claim began: {@link #changes} tells.
 */
public final class Backlog {
    /** Empty: known to be empty. A tag without an entry: unknown; or empty, where it leads to one session. */
    private final Map<String, Optional<ClaimOrder>> bounds = new HashMap<>();

    private long changes;

    /** Counts what was added or forgotten so far. */
    public synchronized long changes() {
        return changes;
    }

    /** Whether a new job in this place overtakes nobody. */
    public synchronized boolean mayPass(String tag, ClaimOrder order) {
        return boundOf(tag).map(bound -> order.compareTo(bound) <= 0).orElse(true);
    }

    /** Whether jobs of this tag may be waiting. */
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

    /** A job was put into the queue in this place. */
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

    /** A claim over these tags, begun at {@code changesSeen}, returned fewer jobs than it asked for: none are left. */
    public synchronized void drained(Collection<String> tags, long changesSeen) {
        if (changes != changesSeen) {
            return;
        }
        tags.forEach(this::empty);
    }

    /** A claim over these tags, begun at {@code changesSeen}, returned all it asked for, the last in this place. */
    public synchronized void claimedUpTo(Collection<String> tags, ClaimOrder last, long changesSeen) {
        if (changes != changesSeen) {
            return;
        }
        tags.forEach(tag -> bounds.put(tag, Optional.of(last)));
    }

    /** Someone else may have put jobs into the queue of this tag. */
    public synchronized void forget(String tag) {
        changes++;
        if (JobGroup.isRoute(tag)) {
            bounds.put(tag, Optional.of(ClaimOrder.FIRST));
        } else {
            bounds.remove(tag);
        }
    }

    /** No job will wait under this tag any more: it leads to a session that is over. */
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

    /** Nothing is known any more. */
    public synchronized void forgetAll() {
        changes++;
        bounds.keySet().removeIf(tag -> !JobGroup.isRoute(tag));
        bounds.replaceAll((tag, bound) -> Optional.of(ClaimOrder.FIRST));
    }
}
