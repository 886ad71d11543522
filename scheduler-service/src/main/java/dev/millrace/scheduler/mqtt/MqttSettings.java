package dev.millrace.scheduler.mqtt;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.mqtt.core.Deduplication;
import dev.millrace.scheduler.mqtt.core.TopicFilter;
import dev.millrace.scheduler.trigger.core.ContentFormat;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the author of a trigger says.
 *
 * @param connection path of the resource that says how to reach the broker
 * @param qos highest quality of service of messages
 * @param skipsRetained whether retained messages start nothing
 * @param clientId absent for one that no other trigger has
 * @param sessionExpiry how long the broker keeps messages while nobody listens
 * @param batchMax largest number of messages of a run; absent if each message starts a run
 * @param batchWait how long a batch waits for further messages
 */
record MqttSettings(
        String connection,
        List<TopicFilter> topics,
        int qos,
        ContentFormat format,
        Deduplication deduplicate,
        boolean skipsRetained,
        Optional<String> clientId,
        Duration sessionExpiry,
        Optional<Integer> batchMax,
        Duration batchWait) {
    /** Maximum number of topic filters of a trigger. */
    static final int TOPICS_MAX = 20;
    /** Maximum number of messages of a run. */
    static final int BATCH_MAX = 1_000;
    /** Longest time that a batch waits for further messages. */
    static final Duration BATCH_WAIT_MAX = Duration.ofMinutes(1);

    static final int QOS_DEFAULT = 1;
    static final int CLIENT_ID_LENGTH_MAX = 128;
    static final Duration SESSION_EXPIRY_DEFAULT = Duration.ofDays(7);
    static final Duration SESSION_EXPIRY_MAX = Duration.ofDays(30);

    MqttSettings {
        requireNonNull(connection, "connection");
        topics = List.copyOf(topics);
        requireNonNull(format, "format");
        requireNonNull(deduplicate, "deduplicate");
        requireNonNull(clientId, "clientId");
        requireNonNull(sessionExpiry, "sessionExpiry");
        requireNonNull(batchMax, "batchMax");
        requireNonNull(batchWait, "batchWait");
    }
}
