package dev.millrace.scheduler.queue.core;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The leases that the worker at the other end of one stream knows: it named them when the stream opened, or they were sent
 * on it, and their ends were not. A stream sends each lease at most once, and none whose end it has sent.
 *
 * <p>Not thread-safe. The stream sends leases and their ends under the same lock under which it asks and tells this, and
 * whoever ends a lease ends it for {@link #mustSend} first. So the decision and the message are one.
 */
public final class ToldLeases {
    private final Set<LeaseKey> told;

    /** @param named leases that the worker named when the stream opened */
    public ToldLeases(Collection<LeaseKey> named) {
        told = new HashSet<>(named);
    }

    public boolean knows(LeaseKey lease) {
        return told.contains(lease);
    }

    /**
     * Whether the lease must be sent; if so, the worker knows it from here on.
     *
     * @param isHeld whether the lease has not ended
     */
    public boolean mustSend(LeaseKey lease, boolean isHeld) {
        return isHeld && told.add(lease);
    }

    /** Notes that the end of a lease is sent: an acknowledgment or a cancellation. */
    public void ended(LeaseKey lease) {
        told.remove(lease);
    }
}
