package dev.millrace.scheduler.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.kafka.BoundedNetwork;
import dev.millrace.kafka.ResponseLimit;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.BoundedConsumers;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.Test;

/** Tests of what a broker can do to its client, which is a part of the scheduler. */
class HostileBrokerTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration SHORT_PATIENCE = Duration.ofMillis(500);
    private static final int BYTES_MAX = 16 << 20;

    @Test
    void allocatesNoAnswerThatIsTooLongForAnAuthentication() throws IOException {
        FakeKafkaBroker.Answers boasts = new FakeKafkaBroker.Answers() {
            @Override
            public Optional<Message> of(RequestHeader request, ByteBuffer body) {
                return Optional.empty();
            }

            @Override
            public int claimed(int bytes) {
                return Integer.MAX_VALUE;
            }
        };
        try (FakeKafkaBroker broker = new FakeKafkaBroker(boasts);
                Consumer<byte[], byte[]> consumer = consumer(withPassword(broker))) {
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> consumer.partitionsFor("orders", SHORT_PATIENCE));
        }
    }

    @Test
    void computesNoHashForHours() throws IOException {
        FakeKafkaBroker.Answers demands = (request, body) -> switch (request.apiKey()) {
            case SASL_HANDSHAKE -> Optional.of(new SaslHandshakeResponseData().setMechanisms(List.of("SCRAM-SHA-256")));
            case SASL_AUTHENTICATE -> {
                byte[] first =
                        new SaslAuthenticateRequestData(new ByteBufferAccessor(body), request.apiVersion()).authBytes();
                String text = new String(first, UTF_8);
                String nonce = text.substring(text.indexOf("r=") + 2);
                String answer = "r=" + nonce + "ours,s=c2FsdA==,i=" + Integer.MAX_VALUE;
                yield Optional.of(new SaslAuthenticateResponseData().setAuthBytes(answer.getBytes(UTF_8)));
            }
            default -> Optional.empty();
        };
        try (FakeKafkaBroker broker = new FakeKafkaBroker(demands);
                Consumer<byte[], byte[]> consumer = consumer(withPassword(broker))) {
            assertThatThrownBy(() -> consumer.partitionsFor("orders", PATIENCE))
                    .isInstanceOf(KafkaException.class)
                    .hasMessageContaining("asks for " + Integer.MAX_VALUE + " iterations of SCRAM");
        }
    }

    /** Each takes two bytes in a response, and 44 on the heap. */
    @Test
    void readsFewUnknownFields() throws IOException {
        MetadataResponseData metadata = new MetadataResponseData();
        IntStream.range(0, 100_000)
                .mapToObj(field -> new RawTaggedField(1_000 + field, new byte[0]))
                .forEach(metadata.unknownTaggedFields()::add);

        assertRefused(metadata, "more than 100 unknown fields");
    }

    @Test
    void readsNoStructureThatIsTooLarge() throws IOException {
        MetadataResponseData metadata = new MetadataResponseData();
        metadata.topics()
                .add(new MetadataResponseData.MetadataResponseTopic()
                        .setName("orders")
                        .setPartitions(IntStream.range(0, 200_000)
                                .mapToObj(number ->
                                        new MetadataResponseData.MetadataResponsePartition().setPartitionIndex(number))
                                .toList()));

        assertRefused(metadata, "more than 262144 bytes");
    }

    @Test
    void keepsNoMorePartitionsThanAreUsual() throws IOException {
        MetadataResponseData metadata = new MetadataResponseData();
        metadata.topics()
                .add(new MetadataResponseData.MetadataResponseTopic()
                        .setName("orders")
                        .setPartitions(IntStream.range(0, 6_000)
                                .mapToObj(number ->
                                        new MetadataResponseData.MetadataResponsePartition().setPartitionIndex(number))
                                .toList()));

        assertRefused(metadata, "it names 6000 partitions (expected: at most 5000)");
    }

    @Test
    void keepsNoMoreBrokersThanAreUsual() throws IOException {
        MetadataResponseData metadata = new MetadataResponseData();
        IntStream.range(0, 2_000)
                .mapToObj(id -> new MetadataResponseData.MetadataResponseBroker()
                        .setNodeId(id)
                        .setHost("h")
                        .setPort(1))
                .forEach(metadata.brokers()::add);

        assertRefused(metadata, "it names 2000 brokers (expected: at most 1000)");
    }

    private static void assertRefused(MetadataResponseData metadata, String reason) throws IOException {
        FakeKafkaBroker.Answers answers =
                (request, _) -> request.apiKey() == ApiKeys.METADATA ? Optional.of(metadata) : Optional.empty();
        try (FakeKafkaBroker broker = new FakeKafkaBroker(answers);
                Consumer<byte[], byte[]> consumer = consumer(broker.settings())) {
            assertThatThrownBy(() -> consumer.partitionsFor("orders", PATIENCE))
                    .isInstanceOf(KafkaException.class)
                    .hasMessageContaining(reason);
        }
    }

    private static Consumer<byte[], byte[]> consumer(Map<String, Object> settings) {
        BoundedNetwork network = new BoundedNetwork(new ResponseLimit(BYTES_MAX), InetAddress::getAllByName);
        return BoundedConsumers.create(settings, network).consumer();
    }

    private static Map<String, Object> withPassword(FakeKafkaBroker broker) {
        Map<String, Object> settings = new HashMap<>(broker.settings());
        settings.put("security.protocol", "SASL_PLAINTEXT");
        settings.put("sasl.mechanism", "SCRAM-SHA-256");
        settings.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"a\" password=\"b\";");
        return settings;
    }
}
