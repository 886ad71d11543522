package dev.millrace.handler.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.handler.TestJob;
import dev.millrace.worker.JobException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sends messages to Kafka's own mock producer without a cluster, or to a real producer if the test needs no cluster.
 */
class KafkaHandlerTest {
    private final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();
    private final List<ProducerKey> keys = new ArrayList<>();
    private final KafkaHandler handler = handler(Map.of());

    private KafkaHandler handler(Map<String, String> settings) {
        return new KafkaHandler(new KafkaHandlerOptions(settings, true), key -> {
            keys.add(key);
            producers.add(new MockProducer<>(
                    Cluster.empty(), true, null, new ByteArraySerializer(), new ByteArraySerializer()));
            return producers.getLast();
        });
    }

    @Test
    void publishesKeyValueAndHeaders() throws Exception {
        JsonNode result = handler.handle(TestJob.of("""
                {'bootstrap_servers': 'localhost:9092', 'topic': 'orders', 'key': 'k-1', 'value': {'amount': 1.50},
                 'headers': {'source': 'flow'}, 'partition': 0}"""));

        ProducerRecord<byte[], byte[]> sent = producers.getFirst().history().getFirst();
        assertThat(sent.topic()).isEqualTo("orders");
        assertThat(new String(sent.key(), UTF_8)).isEqualTo("k-1");
        assertThat(new String(sent.value(), UTF_8)).isEqualTo("{\"amount\":1.50}");
        assertThat(new String(sent.headers().lastHeader("source").value(), UTF_8))
                .isEqualTo("flow");
        assertThat(result.toString()).isEqualTo("{\"topic\":\"orders\",\"partition\":0,\"offset\":0}");
    }

    @Test
    void publishesTextsAsTheyAreAndNullAsATombstone() throws Exception {
        handler.handle(TestJob.of("{'bootstrap_servers': 'a:1', 'topic': 't', 'value': 'plain'}"));
        handler.handle(TestJob.of("{'bootstrap_servers': 'a:1', 'topic': 't', 'key': 'k', 'value': null}"));

        List<ProducerRecord<byte[], byte[]>> sent = producers.getFirst().history();
        assertThat(new String(sent.get(0).value(), UTF_8)).isEqualTo("plain");
        assertThat(sent.get(0).key()).isNull();
        assertThat(sent.get(1).value()).isNull();
    }

    @Test
    void keepsAProducerForMessagesOfTheSameKind() throws Exception {
        handler.handle(TestJob.of("{'bootstrap_servers': 'a:1', 'topic': 't', 'value': 1}"));
        handler.handle(TestJob.of("{'bootstrap_servers': 'a:1', 'topic': 'u', 'value': 2}"));
        handler.handle(TestJob.of("{'bootstrap_servers': 'a:1', 'topic': 't', 'value': 3, 'acks': 1}"));

        assertThat(producers).hasSize(2);
    }

    @Test
    void closesProducersThatAreTooMany() throws Exception {
        int count = KafkaHandlerOptions.PRODUCERS_IDLE_MAX + 3;
        for (int i : IntStream.range(0, count).toArray()) {
            handler.handle(TestJob.of("{'bootstrap_servers': 'host-%d:1', 'topic': 't', 'value': 1}", i));
        }

        assertThat(producers.stream().filter(MockProducer::closed)).hasSize(3);
        assertThat(producers.getFirst().closed()).isTrue();
        assertThat(producers.getLast().closed()).isFalse();
    }

    @Test
    void leavesNothingOpen() throws Exception {
        handler.handle(TestJob.of("{'bootstrap_servers': 'a:1', 'topic': 't', 'value': 1}"));

        handler.close();

        assertThat(producers.getFirst().closed()).isTrue();
    }

    @Test
    void asksForAcknowledgementsAndKeepsToTheTimeout() throws Exception {
        handler.handle(TestJob.of("{'bootstrap_servers': 'a:1', 'topic': 't', 'value': 1, 'timeout': '5s'}"));

        assertThat(keys.getFirst().settings(Map.of("security.protocol", "SSL")))
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", true)
                .containsEntry("delivery.timeout.ms", 5000)
                .containsEntry("security.protocol", "SSL");
    }

    @Test
    void takesTheServersOfTheOperatorWhereTheMessageNamesNone() throws Exception {
        try (KafkaHandler operated = handler(Map.of("bootstrap.servers", "own:9092"))) {
            operated.handle(TestJob.of("{'topic': 't', 'value': 1}"));
            operated.handle(TestJob.of("{'bootstrap_servers': 'a:1', 'topic': 't', 'value': 1}"));
        }

        assertThat(keys).extracting(ProducerKey::bootstrapServers).containsExactly("own:9092", "a:1");
    }

    @Test
    void showsCredentialsToTheServersOfTheOperatorOnly() throws Exception {
        Map<String, String> credentials = Map.of("sasl.jaas.config", "secret");
        Map<String, String> known = new HashMap<>(credentials);
        known.put("bootstrap.servers", "own:9092, other:9092");
        try (KafkaHandler operated = handler(known);
                KafkaHandler careless = handler(credentials)) {
            operated.handle(TestJob.of("{'bootstrap_servers': 'other:9092', 'topic': 't', 'value': 1}"));
            String elsewhere = "{'bootstrap_servers': 'other:9092,a:1', 'topic': 't', 'value': 1}";

            assertThat(catchThrowableOfType(JobException.class, () -> operated.handle(TestJob.of(elsewhere))))
                    .hasMessageContaining(
                            "some of own:9092, other:9092, the only servers that the worker's credentials are for")
                    .hasMessageNotContaining("secret");
            assertThat(catchThrowableOfType(JobException.class, () -> careless.handle(TestJob.of(elsewhere))))
                    .hasMessageContaining("no bootstrap.servers to use them with");
        }
        assertThat(keys).extracting(ProducerKey::bootstrapServers).containsExactly("other:9092");
    }

    @Test
    void saysWhetherARetryMayHelp() {
        JobException tooLarge = failing(new RecordTooLargeException("too large"));
        JobException noReplicas = failing(new NotEnoughReplicasException("one is missing"));

        assertThat(tooLarge.name()).isEqualTo("KafkaError");
        assertThat(tooLarge).hasMessageContaining("RecordTooLargeException: too large");
        assertThat(tooLarge.isRetryable()).isFalse();
        assertThat(noReplicas.isRetryable()).isTrue();
    }

    @Test
    void keepsNoProducerWhoseMessageFailed() throws Exception {
        String message = "{'bootstrap_servers': 'a:1', 'topic': 't', 'value': 1}";
        handler.handle(TestJob.of(message));
        producers.getFirst().sendException = new NotEnoughReplicasException("one is missing");

        JobException failure = catchThrowableOfType(JobException.class, () -> handler.handle(TestJob.of(message)));
        handler.handle(TestJob.of(message));

        assertThat(failure.isRetryable()).isTrue();
        assertThat(producers).hasSize(2);
        assertThat(producers.getFirst().closed()).isTrue();
    }

    /**
     * The first bytes of such a server's response are a length of 1.2 GB to Kafka's client, which closes the connection
     * instead of waiting for so many, and connects again.
     */
    @Test
    void readsNoMoreThanItsLimitFromAServerOfAnotherProtocol() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                KafkaHandler real = new KafkaHandler(new KafkaHandlerOptions(Map.of(), true));
                ExecutorService jobs = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> job = jobs.submit(() -> real.handle(TestJob.of(
                    "{'bootstrap_servers': 'localhost:%d', 'topic': 't', 'value': 1, 'timeout': '5m'}",
                    server.getLocalPort())));

            answerInHttp(server);
            answerInHttp(server);

            job.cancel(true);
        }
    }

    /** Returns once the client has closed the connection. */
    private static void answerInHttp(ServerSocket server) throws IOException {
        try (Socket client = server.accept()) {
            client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8));
            client.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            // The client has closed the connection without reading all of the response.
        }
    }

    @Test
    void refusesServersThatAreNotPublicUnlessTheOperatorHasNamedThem() {
        try (KafkaHandler real = new KafkaHandler(KafkaHandlerOptions.NONE)) {
            JobException failure = catchThrowableOfType(
                    JobException.class,
                    () -> real.handle(TestJob.of("{'bootstrap_servers': '127.0.0.1:9092', 'topic': 't', 'value': 1}")));

            assertThat(failure.name()).isEqualTo("AddressNotAllowed");
            assertThat(failure).hasMessageContaining("127.0.0.1").hasMessageContaining("--http-allow-private");
            assertThat(failure.isRetryable()).isFalse();
        }
        KafkaHandlerOptions operators = new KafkaHandlerOptions(Map.of("bootstrap.servers", "a:1, b:2"), false);
        assertThat(operators.trusts("b:2")).isTrue();
        assertThat(operators.trusts("b:2,c:3")).isFalse();
    }

    @Test
    void leadsNoConnectionToAnAddressThatIsNotPublic() throws Exception {
        InetAddress inside = InetAddress.getByName("10.0.0.7");
        InetAddress outside = InetAddress.getByName("1.1.1.1");
        KafkaAddresses guard = new KafkaAddresses(
                host -> host.equals("both") ? new InetAddress[] {inside, outside} : new InetAddress[] {inside});

        assertThat(guard.resolve("both")).containsExactly(outside);
        assertThatThrownBy(() -> guard.resolve("inside")).isInstanceOf(UnknownHostException.class);
    }

    @Test
    void saysThatNoBrokerCanBeReached() throws IOException {
        int freePort;
        try (ServerSocket socket = new ServerSocket(0)) {
            freePort = socket.getLocalPort();
        }
        try (KafkaHandler real = new KafkaHandler(new KafkaHandlerOptions(Map.of(), true))) {
            JobException failure = catchThrowableOfType(
                    JobException.class,
                    () -> real.handle(TestJob.of(
                            "{'bootstrap_servers': 'localhost:%d', 'topic': 't', 'value': 1, 'timeout': '300ms'}",
                            freePort)));

            assertThat(failure.name()).isEqualTo("KafkaTimeout");
            assertThat(failure).hasMessageContaining("localhost:" + freePort).hasMessageContaining("300 ms");
            assertThat(failure.isRetryable()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'topic': 't'}",
                "{'bootstrap_servers': 'nowhere', 'topic': 't'}",
                "{'bootstrap_servers': 'a:1', 'topic': 'a topic'}",
                "{'bootstrap_servers': 'a:1', 'topic': 't', 'acks': 2}",
                "{'bootstrap_servers': 'a:1', 'topic': 't', 'partition': -1}",
                "{'bootstrap_servers': 'a:1', 'topic': 't', 'sasl.jaas.config': 'x'}"
            })
    void refusesABadInputForGood(String input) {
        JobException failure = catchThrowableOfType(JobException.class, () -> handler.handle(TestJob.of(input)));

        assertThat(failure.name()).isEqualTo("InputError");
        assertThat(failure.isRetryable()).isFalse();
        assertThat(producers).isEmpty();
    }

    private static JobException failing(RuntimeException answer) {
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(Cluster.empty(), true, null, new ByteArraySerializer(), new ByteArraySerializer());
        producer.sendException = answer;
        return catchThrowableOfType(
                JobException.class,
                () -> new KafkaHandler(KafkaHandlerOptions.NONE, _ -> producer)
                        .handle(TestJob.of("{'bootstrap_servers': 'a:1', 'topic': 't', 'value': 1}")));
    }
}
