package dev.millrace.handler.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Settings that a worker's operator gives to all Kafka producers.
 *
 * @param settings Kafka's own settings, such as {@code security.protocol}. Flows can change only
 *     {@code bootstrap.servers}, and not even that to other servers if the settings hold credentials, which only the
 *     operator's servers may see
 * @param allowPrivate whether servers that a message names may have addresses that are not public; servers that the
 *     operator names always may
 */
public record KafkaHandlerOptions(Map<String, String> settings, boolean allowPrivate) {
    /** No settings: plain connections. */
    public static final KafkaHandlerOptions NONE = new KafkaHandlerOptions(Map.of(), false);

    static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(30);
    static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);
    /** Longest response of a broker. Responses to a producer are short, except for metadata of a topic's partitions. */
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

    /** Whether these servers may have any address, because the operator has named them or allows all. */
    boolean trusts(String servers) {
        return allowPrivate
                || bootstrapServers()
                        .map(KafkaMessage::list)
                        .filter(own -> own.containsAll(KafkaMessage.list(servers)))
                        .isPresent();
    }

    /** Servers for messages that name none. */
    Optional<String> bootstrapServers() {
        return Optional.ofNullable(settings.get(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG));
    }
}
