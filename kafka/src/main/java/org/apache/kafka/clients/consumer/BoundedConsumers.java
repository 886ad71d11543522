package org.apache.kafka.clients.consumer;

import dev.millrace.kafka.BoundedNetwork;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.consumer.internals.ConsumerMetadata;
import org.apache.kafka.clients.consumer.internals.ConsumerUtils;
import org.apache.kafka.clients.consumer.internals.SubscriptionState;
import org.apache.kafka.common.internals.ClusterResourceListeners;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;

/**
 * Creates Kafka consumers with a custom network client that limits what it reads and decides where it connects.
 *
 * <p>The consumer's own client takes the first four bytes of a response as a length and allocates that much, so any
 * server that is no broker could exhaust the memory of the scheduler. No setting limits that, and none restricts its
 * addresses. The constructor that accepts another client is visible in this package only.
 */
public final class BoundedConsumers {
    /** As in the consumer's own client. */
    private static final int IN_FLIGHT_MAX = 100;

    private BoundedConsumers() {}

    /**
     * A consumer.
     *
     * @param metadata what it knows of the cluster, with the ids of topics
     */
    public record Bounded(Consumer<byte[], byte[]> consumer, ConsumerMetadata metadata) {}

    /**
     * Creates a consumer.
     *
     * @param network of this consumer alone
     */
    public static Bounded create(Map<String, Object> settings, BoundedNetwork network) {
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        ConsumerConfig config = new ConsumerConfig(ConsumerConfig.appendDeserializerToConfig(settings, bytes, bytes));
        LogContext context = new LogContext("[Consumer millrace] ");
        Metrics metrics = new Metrics();
        SubscriptionState subscriptions = ConsumerUtils.createSubscriptionState(config, context);
        ConsumerMetadata metadata =
                new ConsumerMetadata(config, subscriptions, context, new ClusterResourceListeners());
        metadata.bootstrap(ClientUtils.parseAndValidateAddresses(config));
        NetworkClient client =
                network.client(config, "consumer", IN_FLIGHT_MAX, context, metrics, metadata, new ApiVersions());
        try {
            return new Bounded(
                    new KafkaConsumer<>(
                            context,
                            Time.SYSTEM,
                            config,
                            bytes,
                            bytes,
                            client,
                            subscriptions,
                            metadata,
                            List.of(new CooperativeStickyAssignor())),
                    metadata);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }
}
