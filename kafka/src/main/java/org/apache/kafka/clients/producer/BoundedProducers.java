package org.apache.kafka.clients.producer;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.HostResolver;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.producer.internals.ProducerInterceptors;
import org.apache.kafka.clients.producer.internals.ProducerMetadata;
import org.apache.kafka.common.internals.ClusterResourceListeners;
import org.apache.kafka.common.memory.MemoryPool;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ChannelBuilder;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;

/**
 * Creates Kafka producers with a custom network client that limits what it reads and decides where it connects.
 *
 * <p>The producer's own client takes the first four bytes of a response as a length and allocates that much: a server
 * that speaks HTTP makes it request 1.2 GB. No setting limits that, and none restricts its addresses. The constructor
 * that accepts another client is visible in this package only.
 */
public final class BoundedProducers {
    private static final String METRICS_GROUP = "producer";

    private BoundedProducers() {}

    /**
     * Creates a producer.
     *
     * @param responseBytesMax longest response of a broker; a longer one ends the connection
     * @param names resolver of the host of each connection, also for brokers that other brokers have named
     */
    public static Producer<byte[], byte[]> create(
            Map<String, Object> settings, int responseBytesMax, HostResolver names) {
        ByteArraySerializer serializer = new ByteArraySerializer();
        ProducerConfig config =
                new ProducerConfig(ProducerConfig.appendSerializerToConfig(settings, serializer, serializer));
        LogContext context = new LogContext("[Producer millrace] ");
        Metrics metrics = new Metrics();
        ProducerMetadata metadata = new ProducerMetadata(
                config.getLong(ProducerConfig.RETRY_BACKOFF_MS_CONFIG),
                config.getLong(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG),
                config.getLong(ProducerConfig.METADATA_MAX_AGE_CONFIG),
                config.getLong(ProducerConfig.METADATA_MAX_IDLE_CONFIG),
                context,
                new ClusterResourceListeners(),
                Time.SYSTEM);
        metadata.bootstrap(ClientUtils.parseAndValidateAddresses(config));
        ApiVersions apiVersions = new ApiVersions();
        NetworkClient client = client(config, responseBytesMax, names, context, metrics, metadata, apiVersions);
        try {
            return new KafkaProducer<>(
                    config,
                    serializer,
                    serializer,
                    metadata,
                    client,
                    new ProducerInterceptors<>(List.of(), metrics),
                    apiVersions,
                    Time.SYSTEM);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private static NetworkClient client(
            ProducerConfig config,
            int responseBytesMax,
            HostResolver names,
            LogContext context,
            Metrics metrics,
            ProducerMetadata metadata,
            ApiVersions apiVersions) {
        ChannelBuilder channels = ClientUtils.createChannelBuilder(config, Time.SYSTEM, context);
        Selector selector = new Selector(
                responseBytesMax,
                config.getLong(ProducerConfig.CONNECTIONS_MAX_IDLE_MS_CONFIG),
                Selector.NO_FAILED_AUTHENTICATION_DELAY,
                metrics,
                Time.SYSTEM,
                METRICS_GROUP,
                Map.of(),
                true,
                false,
                channels,
                MemoryPool.NONE,
                context);
        return new NetworkClient(
                null,
                metadata,
                selector,
                config.getString(ProducerConfig.CLIENT_ID_CONFIG),
                config.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION),
                config.getLong(ProducerConfig.RECONNECT_BACKOFF_MS_CONFIG),
                config.getLong(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG),
                config.getInt(ProducerConfig.SEND_BUFFER_CONFIG),
                config.getInt(ProducerConfig.RECEIVE_BUFFER_CONFIG),
                config.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG),
                config.getLong(ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG),
                config.getLong(ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG),
                Time.SYSTEM,
                true,
                apiVersions,
                null,
                context,
                names,
                null,
                config.getLong(CommonClientConfigs.METADATA_RECOVERY_REBOOTSTRAP_TRIGGER_MS_CONFIG),
                MetadataRecoveryStrategy.forName(
                        config.getString(CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG)));
    }
}
