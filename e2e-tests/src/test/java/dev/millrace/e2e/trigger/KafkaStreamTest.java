package dev.millrace.e2e.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.EventStream;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.KafkaBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events go to a topic of a real broker: none is missing, and those of a run are in order, whoever is away meanwhile. */
@Tag("nightly")
final class KafkaStreamTest {
    private static final int PARTITIONS = 3;
    private static final int RUNS_A_ROUND = 60;

    private static final String FLOW = """
            millrace: v1
            name: stream/add
            inputs: {n: {type: integer, default: 0}}
            steps:
              - {id: one, value: 1}
              - {id: rest, wait: {for: 10ms}}
            """;

    @TempDir
    private Path folder;

    @Test
    void sendsEventsAsCloudEventsWithTheRunAsKey() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder);
                KafkaTopic whole = KafkaTopic.create(broker, "whole", 1);
                KafkaTopic parts = KafkaTopic.create(broker, "parts", 1);
                Installation installation = Installation.start(
                        "kafka-stream",
                        ClusterPlan.small().withWorkers().with("millrace.alert.allow-private", "true"))) {
            Api api = installation.api();
            connect(api, broker);
            stream(api, "structured", whole, "structured");
            stream(api, "binary", parts, "binary");
            api.deployFlow(FLOW, Map.of());

            String run = api.submit(Map.of("target", Map.of("flow", "stream/add")));

            List<ConsumerRecord<byte[], byte[]>> messages = new ArrayList<>();
            Await.until("the end of the run is in the topic", Api.PATIENCE, () -> {
                messages.clear();
                messages.addAll(read(broker, whole, 1));
                return messages.stream().anyMatch(message -> type(message).equals("dev.millrace.run.succeeded"));
            });
            ConsumerRecord<byte[], byte[]> last = messages.getLast();
            JsonNode event = event(last);
            assertThat(new String(last.key(), UTF_8)).isEqualTo(run);
            assertThat(header(last, "content-type")).isEqualTo("application/cloudevents+json; charset=UTF-8");
            assertThat(event.path("specversion").asText()).isEqualTo("1.0");
            assertThat(event.path("data").path("run_id").asText()).isEqualTo(run);
            Await.until(
                    "the same is in the other topic",
                    Api.PATIENCE,
                    () -> read(broker, parts, 1).size() == messages.size());
            ConsumerRecord<byte[], byte[]> same = read(broker, parts, 1).getLast();
            assertThat(header(same, "ce_id")).isEqualTo(event.path("id").asText());
            assertThat(header(same, "ce_type")).isEqualTo("dev.millrace.run.succeeded");
            assertThat(header(same, "content-type")).isEqualTo("application/json");
            assertThat(event(same)).isEqualTo(event.path("data"));
        }
    }

    @Test
    void noEventIsMissingWhileSchedulersAndTheBrokerGoDown() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder);
                KafkaTopic topic = KafkaTopic.create(broker, "events", PARTITIONS);
                Installation installation = Installation.start(
                        "kafka-stream-crash",
                        ClusterPlan.small()
                                .withSchedulers(2)
                                .withWorkers()
                                .with("millrace.alert.allow-private", "true"))) {
            Api api = installation.api();
            connect(api, broker);
            api.deployFlow(FLOW, Map.of());
            stream(api, "all", topic, "structured");
            List<String> runs = new ArrayList<>(round(api));
            installation.cluster().scheduler(1).kill();
            runs.addAll(round(api));
            installation.cluster().scheduler(1).start();
            broker.stop();
            runs.addAll(round(api));
            Await.until(
                    "the alert says why events wait",
                    Api.PATIENCE,
                    () -> !api.get("/api/v1/alerts/all")
                            .ok()
                            .path("trouble")
                            .asText()
                            .isEmpty());
            broker.startAgain();
            runs.addAll(round(api));
            installation.cluster().scheduler(0).kill();
            installation.cluster().scheduler(0).start();
            api.awaitReady();
            runs.addAll(round(api));

            Set<String> ended = new HashSet<>();
            Await.until("the ends of all runs are in the topic", Api.PATIENCE.multipliedBy(3), () -> {
                ended.clear();
                read(broker, topic, PARTITIONS).stream()
                        .filter(message -> type(message).equals("dev.millrace.run.succeeded"))
                        .forEach(message -> ended.add(new String(message.key(), UTF_8)));
                return ended.containsAll(runs);
            });
            Map<String, List<String>> positions = new LinkedHashMap<>();
            Set<String> known = new HashSet<>();
            for (ConsumerRecord<byte[], byte[]> message : read(broker, topic, PARTITIONS)) {
                if (known.add(event(message).path("id").asText())) {
                    positions
                            .computeIfAbsent(new String(message.key(), UTF_8), _ -> new ArrayList<>())
                            .add(event(message).path("type").asText());
                }
            }
            assertThat(positions.keySet()).containsAll(runs);
            for (String run : runs) {
                assertThat(positions.get(run)).as("events of run %s", run).isEqualTo(expected(api, run));
            }
            assertThat(api.get("/api/v1/alerts/all").ok().path("trouble").asText())
                    .isEmpty();
        }
    }

    /** The events of a run as the stream of the server has them. */
    private static List<String> expected(Api api, String run) {
        try (var events = api.follow("/api/v1/events?from_oldest=true&run_id=" + run)) {
            events.await(
                    "the end of the run", Api.PATIENCE, event -> type(event).equals("dev.millrace.run.succeeded"));
            return events.soFar().stream()
                    .filter(event -> event.type().equals("event"))
                    .map(KafkaStreamTest::type)
                    .toList();
        }
    }

    private static String type(EventStream.Event event) {
        return event.data().path("type").asText();
    }

    private static List<String> round(Api api) {
        return IntStream.range(0, RUNS_A_ROUND)
                .mapToObj(n -> api.submit(Map.of("target", Map.of("flow", "stream/add"), "input", Map.of("n", n))))
                .toList();
    }

    private static void connect(Api api, KafkaBroker broker) {
        api.put("/api/v1/resources/shop/kafka", Map.of("value", Map.of("bootstrap.servers", broker.servers())))
                .ok();
    }

    private static void stream(Api api, String name, KafkaTopic topic, String mode) {
        api.put(
                        "/api/v1/alerts/" + name,
                        Map.of(
                                "types",
                                List.of("run.*", "step.*", "wait.*"),
                                "kafka",
                                Map.of("connection", "shop/kafka", "topic", topic.name(), "mode", mode)))
                .ok();
    }

    /** All messages of a topic, those of a partition in order. */
    private static List<ConsumerRecord<byte[], byte[]>> read(KafkaBroker broker, KafkaTopic topic, int partitions) {
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic.name(), partition))
                .toList();
        List<ConsumerRecord<byte[], byte[]>> messages = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.servers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(200)).forEach(messages::add);
            }
        }
        return messages;
    }

    private static JsonNode event(ConsumerRecord<byte[], byte[]> message) {
        return Json.parse(new String(message.value(), UTF_8));
    }

    private static String type(ConsumerRecord<byte[], byte[]> message) {
        return event(message).path("type").asText();
    }

    private static String header(ConsumerRecord<byte[], byte[]> message, String name) {
        return new String(message.headers().lastHeader(name).value(), UTF_8);
    }
}
