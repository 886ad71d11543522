package dev.millrace.scheduler.kafka;

import dev.millrace.scheduler.kafka.core.Batches;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
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
        List<TopicPartition> fresh = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            Optional<Long> position = Optional.ofNullable(known.get(partition.partition()));
            Optional<Long> offset =
                    Optional.ofNullable(committed.get(partition)).map(OffsetAndMetadata::offset);
            if (position.isPresent()) {
                consumer.seek(partition, Math.max(position.get(), offset.orElse(0L)));
            } else if (offset.isEmpty()) {
                fresh.add(partition);
            }
        }
        firsts(fresh).forEach((partition, begin) -> {
            positions.begin(topic, partition.partition(), begin);
            consumer.seek(partition, begin);
        });
    }

    /**
     * Where the consumer begins in partitions: behind what is older than its time. So what was added to a partition before it
     * is read for the first time is not lost.
     */
    private Map<TopicPartition, Long> firsts(List<TopicPartition> partitions) {
        if (partitions.isEmpty() || since.isEmpty()) {
            return partitions.isEmpty() ? Map.of() : consumer.beginningOffsets(partitions);
        }
        long millis = since.get().toEpochMilli();
        Map<TopicPartition, Long> firsts = new HashMap<>(consumer.endOffsets(partitions));
        consumer.offsetsForTimes(partitions.stream().collect(Collectors.toMap(Function.identity(), _ -> millis)))
                .forEach((partition, found) -> {
                    if (found != null) {
                        firsts.put(partition, found.offset());
                    }
                });
        return firsts;
    }
}
