package dev.millrace.scheduler.kafka;

import dev.millrace.scheduler.kafka.core.Batches;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/**
 * Follows which partitions a consumer has. A partition that it gets is read from the position in the database on, unless the
 * group has a later offset; so nothing is read twice after a commit was lost, and nothing is skipped once offsets have
 * expired. Where the consumer has not begun yet, its begin is noted, so that it stays the begin if this scheduler dies.
 */
final class Rebalance implements ConsumerRebalanceListener {
    private final Optional<Instant> since;
    private final Consumer<byte[], byte[]> consumer;
    private final Topics topics;
    private final Batches batches;
    private final Positions positions;

    Rebalance(
            Optional<Instant> since,
            Consumer<byte[], byte[]> consumer,
            Topics topics,
            Batches batches,
            Positions positions) {
        this.since = since;
        this.consumer = consumer;
        this.topics = topics;
        this.batches = batches;
        this.positions = positions;
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        revoked.forEach(partition -> batches.drop(new Batches.Place(partition.topic(), partition.partition())));
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(Set.copyOf(assigned));
        assigned.stream()
                .collect(Collectors.groupingBy(TopicPartition::topic))
                .forEach((topic, partitions) -> topics.find(topic).ifPresent(id -> begin(id, partitions, committed)));
    }

    private void begin(UUID topic, List<TopicPartition> partitions, Map<TopicPartition, OffsetAndMetadata> committed) {
        Map<Integer, Long> known = positions.ofTopic(topic);
        for (TopicPartition partition : partitions) {
            Optional<Long> position = Optional.ofNullable(known.get(partition.partition()));
            Optional<Long> offset =
                    Optional.ofNullable(committed.get(partition)).map(OffsetAndMetadata::offset);
            if (position.isPresent()) {
                consumer.seek(partition, Math.max(position.get(), offset.orElse(0L)));
            } else if (offset.isEmpty()) {
                long begin = first(partition);
                positions.begin(topic, partition.partition(), begin);
                consumer.seek(partition, begin);
            }
        }
    }

    /** Where the consumer begins: behind what is older than its time, so that partitions which begin later lose nothing. */
    private long first(TopicPartition partition) {
        if (since.isPresent()) {
            long millis = since.get().toEpochMilli();
            OffsetAndTimestamp found =
                    consumer.offsetsForTimes(Map.of(partition, millis)).get(partition);
            return found == null ? edge(consumer.endOffsets(Set.of(partition)), partition) : found.offset();
        }
        return edge(consumer.beginningOffsets(Set.of(partition)), partition);
    }

    private static long edge(Map<TopicPartition, Long> offsets, TopicPartition partition) {
        return offsets.getOrDefault(partition, 0L);
    }
}
