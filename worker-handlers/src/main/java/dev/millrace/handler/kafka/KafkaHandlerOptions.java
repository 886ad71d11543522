package dev.millrace.handler.kafka;

import java.time.Duration;
import java.util.Map;

/**
 * What the operator of a worker gives to all Kafka producers.
 *
 * @param settings of Kafka's own, such as {@code security.protocol}; flows cannot change them
 */
public record KafkaHandlerOptions(Map<String, String> settings) {
    /** Nothing: plain connections. */
    public static final KafkaHandlerOptions NONE = new KafkaHandlerOptions(Map.of());

    static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(30);
    static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);
    static final int PRODUCERS_IDLE_MAX = 16;

    public KafkaHandlerOptions {
        settings = Map.copyOf(settings);
    }
}
