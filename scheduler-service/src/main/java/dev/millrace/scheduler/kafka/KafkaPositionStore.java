package dev.millrace.scheduler.kafka;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.NotedStarts;
import dev.millrace.scheduler.trigger.TriggerId;
import dev.millrace.scheduler.trigger.TriggerStartRows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongFunction;

/**
 * How far triggers have come in the partitions of topics. A position moves in the transaction that notes the messages
 * before it, so each message is noted once, whichever scheduler reads it and however often.
 */
final class KafkaPositionStore {
    private static final String ADD = """
            insert into kafka_position (trigger_id, topic_id, partition_number, next_offset)
            select id, ?, ?, ? from trigger where id = ?
            on conflict do nothing
            """;
    private static final String LOCK = """
            select next_offset from kafka_position where trigger_id = ? and topic_id = ? and partition_number = ? for update
            """;
    private static final String MOVE = """
            update kafka_position set next_offset = ? where trigger_id = ? and topic_id = ? and partition_number = ?
            """;
    private static final String OF_TOPIC =
            "select partition_number, next_offset from kafka_position where trigger_id = ? and topic_id = ?";
    private static final String ACTIVE = "select 1 from trigger where id = ? and paused_at is null for key share";

    private final Database database;

    KafkaPositionStore(Database database) {
        this.database = database;
    }

    /** The next offset of each partition of a topic in which the trigger has begun. */
    private Map<Integer, Long> ofTopic(TriggerId trigger, UUID topic) {
        Map<Integer, Long> positions = new HashMap<>();
        database.run(dsl -> dsl.fetch(OF_TOPIC, trigger.value(), topic))
                .forEach(row ->
                        positions.put(row.get("partition_number", Integer.class), row.get("next_offset", Long.class)));
        return positions;
    }

    /** The positions of one trigger. */
    Positions of(TriggerId trigger) {
        return new Positions() {
            @Override
            public Map<Integer, Long> ofTopic(UUID topic) {
                return KafkaPositionStore.this.ofTopic(trigger, topic);
            }

            @Override
            public void begin(UUID topic, int partition, long offset) {
                KafkaPositionStore.this.begin(trigger, topic, partition, offset);
            }
        };
    }

    /** Notes where the trigger begins in a partition, unless it has begun there. */
    private void begin(TriggerId trigger, UUID topic, int partition, long offset) {
        database.run(dsl -> dsl.execute(ADD, topic, partition, offset, trigger.value()));
    }

    /**
     * Notes messages of a partition, and moves the position behind them.
     *
     * @param next offset behind the last message
     * @param starts what to note, by the offset of the first message that was not noted yet
     * @return what was noted; absent if the trigger was deleted or paused, so that nothing was noted
     */
    Optional<NotedStarts> note(
            TriggerId trigger, UUID topic, int partition, long next, LongFunction<List<NewStart>> starts) {
        return database.transaction(dsl -> {
            if (dsl.fetch(ACTIVE, trigger.value()).isEmpty()) {
                return Optional.empty();
            }
            dsl.execute(ADD, topic, partition, 0L, trigger.value());
            long first =
                    dsl.fetchSingle(LOCK, trigger.value(), topic, partition).get(0, Long.class);
            if (first >= next) {
                return Optional.of(NotedStarts.NONE);
            }
            NotedStarts noted = TriggerStartRows.note(dsl, starts.apply(first));
            dsl.execute(MOVE, next, trigger.value(), topic, partition);
            return Optional.of(noted);
        });
    }
}
