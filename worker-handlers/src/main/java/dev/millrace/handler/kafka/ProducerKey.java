package dev.millrace.handler.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Properties that messages of one producer have in common. */
record ProducerKey(String bootstrapServers, String acks, Duration timeout) {
    private static final Duration REQUEST_TIMEOUT_MAX = Duration.ofSeconds(30);

    static ProducerKey of(KafkaMessage message) {
        return new ProducerKey(message.bootstrapServers(), message.acks(), message.timeout());
    }

    /** Settings of the producer, added to the operator's. */
    Map<String, Object> settings(Map<String, String> operator) {
        long timeoutMillis = timeout.toMillis();
        Map<String, Object> settings = new HashMap<>(operator);
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        settings.put(ProducerConfig.ACKS_CONFIG, acks);
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, acks.equals("all"));
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeoutMillis);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int)
                Math.min(timeoutMillis, REQUEST_TIMEOUT_MAX.toMillis()));
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) timeoutMillis);
        return settings;
    }
}
