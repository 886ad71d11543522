package dev.millrace.scheduler.kafka;

import java.util.Map;
import java.util.UUID;

/** How far a consumer has come in the partitions of its topics, in the database. Blocking. */
public interface Positions {
    /** The next offset of each partition of a topic in which the consumer has begun. */
    Map<Integer, Long> ofTopic(UUID topic);

    /** Notes where the consumer begins in a partition, unless it has begun there. */
    void begin(UUID topic, int partition, long offset);
}
