package dev.millrace.kafka;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ChannelBuilder;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;

/**
 * Looks at responses before Kafka's client makes objects of them, which may take 40 times as much memory. A response that is
 * too large then ends the client with an exception that says so. Thread-safe where the client is.
 */
final class CheckedResponses extends Selector {
    /** Longest response that is not looked at: whatever it consists of, the heap has room for one of each client. */
    private static final int UNCHECKED_BYTES_MAX = 16 << 10;
    /** Longest structure of a response, without batches of messages: room for some 6,000 partitions. */
    static final int STRUCTURE_BYTES_MAX = 256 << 10;
    /** Largest number of brokers of a cluster, which a client keeps. */
    static final int BROKERS_MAX = 1_000;
    /** Largest number of partitions of all topics of a client, which it keeps, too. */
    static final int PARTITIONS_MAX = 5_000;
    /** Number of requests without response that are remembered, many more than a client has. */
    private static final int REQUESTS_MAX = 1_000;

    private final ApiVersions versions;
    /** By their correlation ids. */
    private final Map<Integer, AbstractRequest.Builder<?>> requests = new LinkedHashMap<>();

    CheckedResponses(
            long idleMillisMax,
            Metrics metrics,
            String kind,
            ChannelBuilder channels,
            ResponseLimit limit,
            LogContext context,
            ApiVersions versions) {
        super(
                NetworkReceive.UNLIMITED,
                idleMillisMax,
                NO_FAILED_AUTHENTICATION_DELAY,
                metrics,
                Time.SYSTEM,
                kind,
                Map.of(),
                true,
                false,
                channels,
                limit,
                context);
        this.versions = versions;
    }

    /** Notes a request of which the response is to be read. */
    void expect(int correlation, AbstractRequest.Builder<?> request) {
        synchronized (requests) {
            requests.put(correlation, request);
            if (requests.size() > REQUESTS_MAX) {
                requests.remove(requests.keySet().iterator().next());
            }
        }
    }

    private Optional<AbstractRequest.Builder<?>> answered(int correlation) {
        synchronized (requests) {
            return Optional.ofNullable(requests.remove(correlation));
        }
    }

    @Override
    public Collection<NetworkReceive> completedReceives() {
        Collection<NetworkReceive> received = super.completedReceives();
        received.forEach(this::check);
        return received;
    }

    private void check(NetworkReceive received) {
        int bytes = received.payload().remaining();
        if (bytes < Integer.BYTES) {
            return;
        }
        Optional<AbstractRequest.Builder<?>> request =
                answered(received.payload().getInt(received.payload().position()));
        if (bytes <= UNCHECKED_BYTES_MAX) {
            return;
        }
        try {
            if (request.isEmpty()) {
                throw new KafkaException("it answers to no request");
            }
            check(request.get(), received);
        } catch (RuntimeException tooLarge) {
            close(received.source());
            throw new KafkaException(
                    "A response of a broker of " + bytes + " bytes is not read: " + tooLarge.getMessage() + ".");
        }
    }

    private void check(AbstractRequest.Builder<?> request, NetworkReceive received) {
        ApiKeys api = request.apiKey();
        short version = version(request, received.source());
        StructureReader reader = new StructureReader(received.payload().duplicate(), STRUCTURE_BYTES_MAX);
        var _ = new ResponseHeaderData(reader, api.responseHeaderVersion(version));
        AbstractResponse response = AbstractResponse.parseResponse(api, reader, version);
        if (response instanceof MetadataResponse metadata) {
            require("brokers", metadata.data().brokers().size(), BROKERS_MAX);
            require(
                    "partitions",
                    metadata.data().topics().stream()
                            .mapToInt(topic -> topic.partitions().size())
                            .sum(),
                    PARTITIONS_MAX);
        }
    }

    private static void require(String what, int found, int max) {
        if (found > max) {
            throw new KafkaException("it names " + found + " " + what + " (expected: at most " + max + ")");
        }
    }

    /** The version of a request, which the client chooses when it sends it. */
    private short version(AbstractRequest.Builder<?> request, String broker) {
        NodeApiVersions known = versions.get(broker);
        if (known == null) {
            return request.latestAllowedVersion();
        }
        try {
            return known.latestUsableVersion(
                    request.apiKey(), request.oldestAllowedVersion(), request.latestAllowedVersion());
        } catch (UnsupportedVersionException neverSent) {
            throw new KafkaException("it answers to no request");
        }
    }
}
