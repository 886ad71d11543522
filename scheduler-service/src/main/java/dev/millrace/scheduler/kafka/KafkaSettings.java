package dev.millrace.scheduler.kafka;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.trigger.core.ContentFormat;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the author of a trigger says.
 *
 * @param connection path of the resource with the settings of the client
 * @param startsLatest whether the trigger begins at new messages
 * @param batchMax largest number of messages of a run; absent if each message starts a run
 * @param batchWait how long a batch waits for further messages
 */
record KafkaSettings(
        String connection,
        List<String> topics,
        String group,
        boolean startsLatest,
        ContentFormat format,
        Optional<Integer> batchMax,
        Duration batchWait) {
    /** Maximum number of topics of a trigger. */
    static final int TOPICS_MAX = 20;
    /** Maximum number of messages of a run. */
    static final int BATCH_MAX = 1_000;
    /** Longest time that a batch waits for further messages. */
    static final Duration BATCH_WAIT_MAX = Duration.ofMinutes(1);

    KafkaSettings {
        requireNonNull(connection, "connection");
        topics = List.copyOf(topics);
        requireNonNull(group, "group");
        requireNonNull(format, "format");
        requireNonNull(batchMax, "batchMax");
        requireNonNull(batchWait, "batchWait");
    }
}
