package dev.millrace.scheduler.mqtt.protocol;

import dev.millrace.scheduler.mqtt.core.Arrival;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Packets that were read and that nobody has taken. Who reads waits while they are many or large; then the broker waits,
 * too, since the socket's buffers fill. Thread-safe.
 */
final class Inbox {
    /** Number of packets from which on none is added. */
    private static final int PACKETS_MAX = 200;
    /** Bytes of packets from which on none is added. */
    private static final int BYTES_MAX = 64 << 10;
    /** Rough size of a packet without its message. */
    private static final int PACKET_BYTES = 256;

    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Packet> packets = new ArrayDeque<>();
    private int bytes;
    private @Nullable IOException end;

    /**
     * Adds a packet once there is room.
     *
     * @param goesOn whether to wait any longer, asked now and then
     */
    void put(Packet packet, BooleanSupplier goesOn) throws InterruptedException {
        lock.lock();
        try {
            while ((packets.size() >= PACKETS_MAX || bytes >= BYTES_MAX) && end == null && goesOn.getAsBoolean()) {
                var _ = changed.await(LOOK_INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
            }
            packets.add(packet);
            bytes += size(packet);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Says that no further packet comes. */
    void end(IOException reason) {
        lock.lock();
        try {
            if (end == null) {
                end = reason;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a packet.
     *
     * @return empty if none came within the time
     * @throws IOException why no further packet comes, once all were taken
     */
    Optional<Packet> take(Duration patience) throws IOException, InterruptedException {
        lock.lock();
        try {
            long left = patience.toNanos();
            while (packets.isEmpty() && end == null && left > 0) {
                left = changed.awaitNanos(left);
            }
            Packet packet = packets.poll();
            if (packet == null) {
                if (end != null) {
                    throw end;
                }
                return Optional.empty();
            }
            bytes -= size(packet);
            changed.signalAll();
            return Optional.of(packet);
        } finally {
            lock.unlock();
        }
    }

    private static int size(Packet packet) {
        return PACKET_BYTES + (packet instanceof Packet.Delivered(Arrival arrival) ? arrival.size() : 0);
    }
}
