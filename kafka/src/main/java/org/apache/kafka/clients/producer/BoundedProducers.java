package org.apache.kafka.clients.producer;

import dev.millrace.kafka.BoundedNetwork;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.producer.internals.ProducerInterceptors;
import org.apache.kafka.clients.producer.internals.ProducerMetadata;
import org.apache.kafka.common.internals.ClusterResourceListeners;
import org.apache.kafka.common.metrics.Metrics;
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
    private BoundedProducers() {}

    /**
     * Creates a producer.
     *
     * @param network of this producer alone
     */
    public static Producer<byte[], byte[]> create(Map<String, Object> settings, BoundedNetwork network) {
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
        NetworkClient client = network.client(
                config,
                "producer",
                config.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION),
                context,
                metrics,
                metadata,
                apiVersions);
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
}
