package dev.millrace.scheduler.alert;

import dev.millrace.kafka.BoundedNetwork;
import dev.millrace.kafka.ResponseLimit;
import dev.millrace.scheduler.kafka.core.ClientSettings;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.trigger.TriggerConnections;
import dev.millrace.tls.AddressRule;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.BoundedProducers;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Opens producers to the brokers that resources name. */
final class BrokerProducers implements TopicProducers {
    /** Maximum time to wait for the brokers' answer to one request. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    /** Longest answer of a broker. */
    private static final int RESPONSE_BYTES_MAX = 1 << 20;
    /** Most bytes of messages that a producer keeps: more than those of a batch of events. */
    private static final int BUFFER_BYTES = 2 << 20;

    /**
     * Most bytes of messages that go to a partition at once. The client splits a batch that is larger than brokers allow into
     * batches of the same size, for ever; so this is less than any limit of theirs.
     */
    private static final int BATCH_BYTES = 8 << 10;

    private final TriggerConnections connections;
    private final AddressRule hosts;

    BrokerProducers(TriggerConnections connections, AddressRule hosts) {
        this.connections = connections;
        this.hosts = hosts;
    }

    @Override
    public Optional<String> problem(Workspace workspace, String connection) {
        connections.require(workspace, connection);
        return ClientSettings.problem(connections.settings(workspace, connection));
    }

    @Override
    public Producer<byte[], byte[]> open(Workspace workspace, String connection) throws IOException {
        Map<String, String> given = connections.settings(workspace, connection);
        Optional<String> problem = ClientSettings.problem(given);
        if (problem.isPresent()) {
            throw new IOException("it is no connection to Kafka: " + problem.get());
        }
        hosts.requireAny(ClientSettings.hosts(given));
        Map<String, Object> client = new HashMap<>(ClientSettings.of(given));
        client.put(ProducerConfig.CLIENT_ID_CONFIG, "millrace");
        client.put(ProducerConfig.ACKS_CONFIG, "all");
        client.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        client.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        client.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        client.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
        client.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, REQUEST_TIMEOUT.toMillis());
        client.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) REQUEST_TIMEOUT.toMillis());
        // One message that expires would let those after it overtake it.
        client.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        return BoundedProducers.create(
                client, new BoundedNetwork(new ResponseLimit(RESPONSE_BYTES_MAX), hosts::resolve));
    }
}
