package org.apache.kafka.clients.consumer;

import dev.millrace.kafka.ResponseLimit;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.HostResolver;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.consumer.internals.ConsumerMetadata;
import org.apache.kafka.clients.consumer.internals.ConsumerUtils;
import org.apache.kafka.clients.consumer.internals.SubscriptionState;
import org.apache.kafka.common.internals.ClusterResourceListeners;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ChannelBuilder;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.Selector;
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
    private static final String METRICS_GROUP = "consumer";
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
     * @param limit of responses, for this consumer alone
     * @param names resolver of the host of each connection, also for brokers that other brokers have named
     */
    public static Bounded create(Map<String, Object> settings, ResponseLimit limit, HostResolver names) {
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        ConsumerConfig config = new ConsumerConfig(ConsumerConfig.appendDeserializerToConfig(settings, bytes, bytes));
        LogContext context = new LogContext("[Consumer millrace] ");
        Metrics metrics = new Metrics();
        SubscriptionState subscriptions = ConsumerUtils.createSubscriptionState(config, context);
        ConsumerMetadata metadata =
                new ConsumerMetadata(config, subscriptions, context, new ClusterResourceListeners());
        metadata.bootstrap(ClientUtils.parseAndValidateAddresses(config));
        NetworkClient client = client(config, limit, names, context, metrics, metadata);
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

    private static NetworkClient client(
            ConsumerConfig config,
            ResponseLimit limit,
            HostResolver names,
            LogContext context,
            Metrics metrics,
            ConsumerMetadata metadata) {
        ChannelBuilder channels = ClientUtils.createChannelBuilder(config, Time.SYSTEM, context);
        Selector selector = new Selector(
                NetworkReceive.UNLIMITED,
                config.getLong(ConsumerConfig.CONNECTIONS_MAX_IDLE_MS_CONFIG),
                Selector.NO_FAILED_AUTHENTICATION_DELAY,
                metrics,
                Time.SYSTEM,
                METRICS_GROUP,
                Map.of(),
                true,
                false,
                channels,
                limit,
                context);
        return new NetworkClient(
                null,
                metadata,
                selector,
                config.getString(ConsumerConfig.CLIENT_ID_CONFIG),
                IN_FLIGHT_MAX,
                config.getLong(ConsumerConfig.RECONNECT_BACKOFF_MS_CONFIG),
                config.getLong(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG),
                config.getInt(ConsumerConfig.SEND_BUFFER_CONFIG),
                config.getInt(ConsumerConfig.RECEIVE_BUFFER_CONFIG),
                config.getInt(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG),
                config.getLong(ConsumerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG),
                config.getLong(ConsumerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG),
                Time.SYSTEM,
                true,
                new ApiVersions(),
                null,
                context,
                names,
                null,
                config.getLong(CommonClientConfigs.METADATA_RECOVERY_REBOOTSTRAP_TRIGGER_MS_CONFIG),
                MetadataRecoveryStrategy.forName(
                        config.getString(CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG)));
    }
}
