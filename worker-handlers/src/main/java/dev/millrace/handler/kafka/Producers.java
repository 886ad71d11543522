package dev.millrace.handler.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * Producers kept for further messages, because starting one takes a thread, connections and metadata of the cluster.
 * Any number may be in use; of the idle ones, only the most recently used stay. Thread-safe: the monitor guards all
 * state, and no producer is closed while it is held.
 */
final class Producers implements AutoCloseable {
    private static final class Entry {
        final Producer<byte[], byte[]> producer;
        int users;

        Entry(Producer<byte[], byte[]> producer) {
            this.producer = producer;
        }
    }

    private final Function<ProducerKey, Producer<byte[], byte[]>> factory;
    private final int idleMax;
    private final Map<ProducerKey, Entry> entries = new LinkedHashMap<>();

    Producers(Function<ProducerKey, Producer<byte[], byte[]>> factory, int idleMax) {
        this.factory = factory;
        this.idleMax = idleMax;
    }

    /** Returns a producer, which the caller must {@link #release} or {@link #discard}. */
    synchronized Producer<byte[], byte[]> take(ProducerKey key) {
        Entry known = entries.remove(key);
        Entry entry = known == null ? new Entry(factory.apply(key)) : known;
        entry.users++;
        entries.put(key, entry);
        return entry.producer;
    }

    /** Returns a producer, and closes surplus idle ones. */
    void release(ProducerKey key) {
        giveBack(key, true);
    }

    /** Returns a producer whose message failed. It is not kept, since it would try forever to reach missing brokers. */
    void discard(ProducerKey key) {
        giveBack(key, false);
    }

    private void giveBack(ProducerKey key, boolean keep) {
        List<Producer<byte[], byte[]>> surplus = new ArrayList<>();
        synchronized (this) {
            Entry entry = entries.get(key);
            if (entry != null) {
                entry.users--;
                if (!keep && entry.users == 0) {
                    entries.remove(key);
                    surplus.add(entry.producer);
                }
            }
            List<ProducerKey> idle = entries.keySet().stream()
                    .filter(other -> isIdle(entries.get(other)))
                    .toList();
            idle.subList(0, Math.max(0, idle.size() - idleMax)).forEach(other -> {
                Entry removed = entries.remove(other);
                if (removed != null) {
                    surplus.add(removed.producer);
                }
            });
        }
        surplus.forEach(producer -> producer.close(Duration.ZERO));
    }

    private static boolean isIdle(@Nullable Entry entry) {
        return entry != null && entry.users == 0;
    }

    @Override
    public void close() {
        List<Entry> all;
        synchronized (this) {
            all = List.copyOf(entries.values());
            entries.clear();
        }
        all.forEach(entry -> entry.producer.close(Duration.ZERO));
    }
}
