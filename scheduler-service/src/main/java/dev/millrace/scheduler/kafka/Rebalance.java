package dev.millrace.scheduler.kafka;

import dev.millrace.scheduler.kafka.core.Batches;
import dev.millrace.scheduler.trigger.TriggerId;
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
import org.apache.kafka.common.TopicPartition;

/**
 * Follows which partitions a consumer has. A partition that it gets is read from the position in the database on, unless the
 * group has a later offset; so nothing is read twice after a commit was lost, and nothing is skipped once offsets have
 * expired. Where the trigger has not begun yet, its begin is noted, so that it stays the begin if this scheduler dies.
 */
final class Rebalance implements ConsumerRebalanceListener {
    private final TriggerId trigger;
    private final boolean startsLatest;
    private final Consumer<byte[], byte[]> consumer;
    private final Topics topics;
    private final Batches batches;
    private final KafkaPositionStore positions;

    Rebalance(
            TriggerId trigger,
            boolean startsLatest,
            Consumer<byte[], byte[]> consumer,
            Topics topics,
            Batches batches,
            KafkaPositionStore positions) {
        this.trigger = trigger;
        this.startsLatest = startsLatest;
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
        Map<Integer, Long> known = positions.ofTopic(trigger, topic);
        for (TopicPartition partition : partitions) {
            Optional<Long> position = Optional.ofNullable(known.get(partition.partition()));
            Optional<Long> offset =
                    Optional.ofNullable(committed.get(partition)).map(OffsetAndMetadata::offset);
            if (position.isPresent()) {
                consumer.seek(partition, Math.max(position.get(), offset.orElse(0L)));
            } else if (offset.isEmpty()) {
                long begin = edge(partition, startsLatest && known.isEmpty());
                positions.begin(trigger, topic, partition.partition(), begin);
                consumer.seek(partition, begin);
            }
        }
    }

    private long edge(TopicPartition partition, boolean isEnd) {
        Set<TopicPartition> one = Set.of(partition);
        return Optional.ofNullable((isEnd ? consumer.endOffsets(one) : consumer.beginningOffsets(one)).get(partition))
                .orElse(0L);
    }
}
