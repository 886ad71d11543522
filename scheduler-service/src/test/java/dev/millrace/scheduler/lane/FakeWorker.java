package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker without a network. It queues what it receives, for tests to take. */
public final class FakeWorker implements LeaseReceiver {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SessionId session;
    private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
    private final BlockingQueue<ResultAck> acks = new LinkedBlockingQueue<>();
    private final BlockingQueue<Cancellation> cancellations = new LinkedBlockingQueue<>();

    private final BlockingQueue<UUID> endedFolders = new LinkedBlockingQueue<>();

    FakeWorker(IdSource ids) {
        this.session = new SessionId(ids.nextUuid());
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
    public void deliver(List<Delivery> delivered) {
        deliveries.addAll(delivered);
    }

    @Override
    public void acknowledge(List<ResultAck> acknowledged) {
        acks.addAll(acknowledged);
    }

    @Override
    public void cancel(List<Cancellation> canceled) {
        cancellations.addAll(canceled);
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
