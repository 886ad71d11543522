package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.queue.core.ToldLeases;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A worker without a network. It queues what it receives, for tests to take. */
public final class FakeWorker implements LeaseReceiver {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SessionId session;
    private final ToldLeases told;
    /** Called on the lane's thread before a delivery is sent. */
    volatile Runnable beforeDelivery = () -> {};

    private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
    private final BlockingQueue<ResultAck> acks = new LinkedBlockingQueue<>();
    private final BlockingQueue<Cancellation> cancellations = new LinkedBlockingQueue<>();

    private final BlockingQueue<UUID> endedFolders = new LinkedBlockingQueue<>();

    FakeWorker(IdSource ids) {
        this(new SessionId(ids.nextUuid()), List.of());
    }

    private FakeWorker(SessionId session, List<LeaseKey> held) {
        this.session = session;
        this.told = new ToldLeases(held);
    }

    /** The next stream of the session, on which the worker names these leases. */
    FakeWorker resumed(LeaseKey... held) {
        return new FakeWorker(session, List.of(held));
    }

    @Override
    public SessionId session() {
        return session;
    }

    @Override
    public String workerName() {
        return "fake";
    }

    @Override
    public int deliver(List<Delivery> leased, Predicate<LeaseKey> isHeld) {
        beforeDelivery.run();
        synchronized (told) {
            List<Delivery> unsent = leased.stream()
                    .filter(delivery -> told.mustSend(
                            delivery.lease().key(), isHeld.test(delivery.lease().key())))
                    .toList();
            deliveries.addAll(unsent);
            return unsent.size();
        }
    }

    @Override
    public boolean knows(LeaseKey lease) {
        synchronized (told) {
            return told.knows(lease);
        }
    }

    @Override
    public void acknowledge(List<ResultAck> acknowledged) {
        synchronized (told) {
            acknowledged.forEach(ack -> told.ended(new LeaseKey(ack.job(), ack.token())));
            acks.addAll(acknowledged);
        }
    }

    @Override
    public void cancel(List<Cancellation> canceled) {
        synchronized (told) {
            canceled.forEach(cancellation -> told.ended(new LeaseKey(cancellation.job(), cancellation.token())));
            cancellations.addAll(canceled);
        }
    }

    @Override
    public void endFolders(List<UUID> groups) {
        endedFolders.addAll(groups);
    }

    public UUID nextEndedFolder() {
        return next(endedFolders);
    }

    public Delivery nextDelivery() {
        return next(deliveries);
    }

    public boolean hasAck() {
        return !acks.isEmpty();
    }

    public boolean hasDelivery() {
        return !deliveries.isEmpty();
    }

    public ResultAck nextAck() {
        return next(acks);
    }

    public Cancellation nextCancellation() {
        return next(cancellations);
    }

    private static <T> T next(BlockingQueue<T> queue) {
        try {
            @Nullable T next = queue.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (next == null) {
                throw new AssertionError("nothing came in " + PATIENCE);
            }
            return next;
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
