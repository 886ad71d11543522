package dev.millrace.handler.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * What the operator of a worker gives to all Kafka producers.
 *
 * @param settings of Kafka's own, such as {@code security.protocol}; flows cannot change them, but for {@code bootstrap.servers}, which a message may
 *     name itself, unless there are credentials among the settings: those are shown to the operator's servers only
 * @param allowPrivate whether servers that a message names may be at addresses that are not public; those that the operator names always may
 */
public record KafkaHandlerOptions(Map<String, String> settings, boolean allowPrivate) {
    /** Nothing: plain connections. */
    public static final KafkaHandlerOptions NONE = new KafkaHandlerOptions(Map.of(), false);

    static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(30);
    static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);
    /** Longest answer of a broker. What it answers to a producer is short, but for what it knows of a topic's partitions. */
    static final int RESPONSE_BYTES_MAX = 4 << 20;

    static final int PRODUCERS_IDLE_MAX = 16;

    public KafkaHandlerOptions {
        settings = Map.copyOf(settings);
    }

    /** Whether producers would show secrets to the servers that a message names. */
    boolean holdsCredentials() {
        return settings.keySet().stream().anyMatch(KafkaHandlerOptions::isCredential);
    }

    private static boolean isCredential(String setting) {
        return setting.startsWith("sasl.") || setting.startsWith("ssl.key");
    }

    /** Whether these servers may be at any address: the operator has named them, or allows all. */
    boolean trusts(String servers) {
        return allowPrivate
                || bootstrapServers()
                        .map(KafkaMessage::list)
                        .filter(own -> own.containsAll(KafkaMessage.list(servers)))
                        .isPresent();
    }

    /** The servers of messages that name none. */
    Optional<String> bootstrapServers() {
        return Optional.ofNullable(settings.get(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG));
    }
}
