package dev.millrace.scheduler.kafka;

import dev.millrace.kafka.ResponseLimit;
import dev.millrace.scheduler.kafka.core.BatchEnd;
import dev.millrace.scheduler.trigger.ListenTrouble;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds batches of messages that are too long to be read. Each try has a consumer of its own, which reads nothing else: so a
 * response that is too long can only be the one for its offset, and no message is skipped that can be read. Blocking.
 */
final class Oversized {
    /** Longest time for a try. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final Duration POLL_MAX = Duration.ofMillis(200);

    private final Readers readers;
    private final int bytesMax;

    /** @param bytesMax longest response of a broker that is read */
    Oversized(Readers readers, int bytesMax) {
        this.readers = readers;
        this.bytesMax = bytesMax;
    }

    /** Opens consumers that have no partitions yet. */
    interface Readers {
        Consumer<byte[], byte[]> open(ResponseLimit limit) throws ListenTrouble;
    }

    /** The batch at an offset of a partition, if it is too long to be read. */
    Optional<SkippedBatch> at(TopicPartition partition, long offset) throws ListenTrouble {
        OptionalInt bytes = refused(partition, offset);
        return bytes.isEmpty()
                ? Optional.empty()
                : Optional.of(new SkippedBatch(
                        partition.topic(), partition.partition(), offset, end(partition, offset), bytes.getAsInt()));
    }

    private long end(TopicPartition partition, long begin) throws ListenTrouble {
        BatchEnd search = new BatchEnd(begin, partitionEnd(partition));
        while (!search.isFound()) {
            search.tried(refused(partition, search.next()).isEmpty());
        }
        return search.end();
    }

    private long partitionEnd(TopicPartition partition) throws ListenTrouble {
        try (Consumer<byte[], byte[]> reader = readers.open(new ResponseLimit(bytesMax))) {
            Map<TopicPartition, Long> ends = reader.endOffsets(List.of(partition));
            return ends.getOrDefault(partition, 0L);
        }
    }

    /** The size of the response for an offset if it is too long; empty if the partition can be read there. */
    private OptionalInt refused(TopicPartition partition, long offset) throws ListenTrouble {
        ResponseLimit limit = new ResponseLimit(bytesMax);
        try (Consumer<byte[], byte[]> reader = readers.open(limit)) {
            reader.assign(List.of(partition));
            reader.seek(partition, offset);
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < PATIENCE.toNanos()) {
                boolean isRead = !reader.poll(POLL_MAX).isEmpty() || reader.position(partition) > offset;
                OptionalInt tooLong = limit.takeRefused();
                if (isRead || tooLong.isPresent()) {
                    return isRead ? OptionalInt.empty() : tooLong;
                }
                if (offset >= reader.endOffsets(List.of(partition)).getOrDefault(partition, 0L)) {
                    return OptionalInt.empty();
                }
            }
        }
        throw new ListenTrouble("The message at offset " + offset + " of partition " + partition.partition()
                + " of the topic " + partition.topic() + " cannot be read: the brokers did not answer.");
    }
}
