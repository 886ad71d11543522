package dev.millrace.flowtest.lease;

import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.ToldLeases;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** One stream of the session, with the messages on their way. */
final class LeaseStream {
    sealed interface Down {
        LeaseKey lease();
    }

    record Lease(LeaseKey lease) implements Down {}

    record Ack(LeaseKey lease) implements Down {}

    record Cancel(LeaseKey lease) implements Down {}

    sealed interface Up {}

    record Hello(List<LeaseKey> named) implements Up {}

    record Result(LeaseKey lease, boolean isReturned) implements Up {}

    final int number;
    final List<LeaseKey> named;
    final Deque<Down> down = new ArrayDeque<>();
    final Deque<Up> up = new ArrayDeque<>();
    boolean isCut;
    private final boolean isStrict;
    private final ToldLeases told;
    private final Set<LeaseKey> sent = new HashSet<>();
    private final Set<LeaseKey> ended = new HashSet<>();

    /** @param isStrict whether the scheduler alone must keep a lease from being sent twice or after its end */
    LeaseStream(int number, List<LeaseKey> named, boolean isStrict) {
        this.isStrict = isStrict;
        this.number = number;
        this.named = named;
        this.told = new ToldLeases(named);
    }

    void deliver(LeaseKey lease, Predicate<LeaseKey> isHeld) {
        if (told.mustSend(lease, isHeld.test(lease))) {
            send(new Lease(lease));
        }
    }

    boolean knows(LeaseKey lease) {
        return told.knows(lease);
    }

    void end(Down message) {
        told.ended(message.lease());
        send(message);
    }

    private void send(Down message) {
        if (!isCut) {
            down.add(message);
        }
        if (message instanceof Lease(LeaseKey lease)) {
            boolean isFirst = sent.add(lease);
            if (isStrict && (!isFirst || ended.contains(lease))) {
                throw new BrokenPromise(
                        "stream " + number + " sent lease " + lease.token().value() + " twice or after its end");
            }
        } else {
            ended.add(message.lease());
        }
    }

    String digest(List<LeaseKey> leases) {
        StringBuilder digest =
                new StringBuilder().append(number).append(isCut).append(down).append(up);
        for (LeaseKey lease : leases) {
            digest.append(told.knows(lease)).append(sent.contains(lease)).append(ended.contains(lease));
        }
        return digest.toString();
    }
}
