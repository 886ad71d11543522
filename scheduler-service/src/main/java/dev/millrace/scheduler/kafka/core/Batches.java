package dev.millrace.scheduler.kafka.core;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Messages that were read and wait for their batch, in the order of their partitions. Times are in nanoseconds of one clock.
 * Not thread-safe.
 */
public final class Batches {
    private final int most;
    private final long wait;
    private final int roomMessages;
    private final long roomBytes;
    private final Map<Place, Deque<Waiting>> waiting = new LinkedHashMap<>();
    private int count;
    private long bytes;

    /** A partition of a topic. */
    public record Place(String topic, int partition) {}

    private record Waiting(Message message, long since) {}

    /**
     * @param most messages of a full batch, which waits no longer
     * @param wait longest time that a message waits
     * @param roomMessages number of messages from which on none waits
     * @param roomBytes bytes from which on none waits
     */
    public Batches(int most, Duration wait, int roomMessages, long roomBytes) {
        this.most = most;
        this.wait = wait.toNanos();
        this.roomMessages = roomMessages;
        this.roomBytes = roomBytes;
    }

    /** Adds a message, which follows those of its partition that were added before. */
    public void add(Message message, long now) {
        waiting.computeIfAbsent(message.place(), _ -> new ArrayDeque<>()).add(new Waiting(message, now));
        count++;
        bytes += message.bytes();
    }

    /** Takes the messages that wait no longer: for each partition a list, in order. */
    public List<List<Message>> due(long now) {
        boolean isFull = count >= roomMessages || bytes >= roomBytes;
        List<List<Message>> due = new ArrayList<>();
        for (Deque<Waiting> queue : waiting.values()) {
            boolean isLate = !queue.isEmpty() && now - queue.getFirst().since() >= wait;
            int taken = isFull || isLate ? queue.size() : queue.size() / most * most;
            if (taken > 0) {
                due.add(take(queue, taken));
            }
        }
        waiting.values().removeIf(Deque::isEmpty);
        return due;
    }

    private List<Message> take(Deque<Waiting> queue, int taken) {
        List<Message> messages = new ArrayList<>(taken);
        for (int index = 0; index < taken; index++) {
            Message message = queue.removeFirst().message();
            count--;
            bytes -= message.bytes();
            messages.add(message);
        }
        return messages;
    }

    /** Time until a message has waited long enough; empty if none waits. */
    public OptionalLong untilDue(long now) {
        return waiting.values().stream()
                .mapToLong(queue -> Math.max(0, wait - (now - queue.getFirst().since())))
                .min();
    }

    /** Forgets the messages of a partition, which somebody else reads from now on. */
    public void drop(Place place) {
        Optional.ofNullable(waiting.remove(place)).ifPresent(queue -> {
            int all = queue.size();
            var _ = take(queue, all);
        });
    }

    /** Number of messages that wait. */
    public int size() {
        return count;
    }
}
