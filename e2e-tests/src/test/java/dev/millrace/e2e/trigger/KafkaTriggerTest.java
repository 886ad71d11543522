package dev.millrace.e2e.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Answer;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.KafkaBroker;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of a real broker start runs: each one exactly one, whoever is killed or away meanwhile. */
@Tag("nightly")
final class KafkaTriggerTest {
    private static final int PARTITIONS = 4;
    private static final int MESSAGES_A_ROUND = 200;
    /** Two of these are all that triggers read at once. */
    private static final int LONG_BYTES = 8 << 20;

    private static final Map<String, Object> RUN = Map.of("target", Map.of("handler", "consume"));

    @TempDir
    private Path folder;

    @Test
    void startsRunsOfMessagesAndBatchesAndRefusesPoison() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder);
                KafkaTopic orders = KafkaTopic.create(broker, "orders", 1);
                Installation installation = Installation.start(
                        "kafka", ClusterPlan.small().withWorkers().with("millrace.trigger.allow-private", "true"))) {
            Api api = installation.api();
            connect(api, broker);
            orders.send("before", "{\"n\":0}");
            orders.send("poison", "{\"n\":");
            orders.flush();
            Map<String, Object> source = Map.of("connection", "shop/kafka", "topics", List.of("orders"));
            apply(api, "shop/each", Map.of("run", RUN, "kafka", source));
            apply(
                    api,
                    "shop/batch",
                    Map.of(
                            "run",
                            Map.of("target", Map.of("handler", "consume"), "input", Map.of("source", "kafka")),
                            "kafka",
                            Map.of(
                                    "connection",
                                    "shop/kafka",
                                    "topics",
                                    List.of("orders"),
                                    "format",
                                    "text",
                                    "batch_max",
                                    3,
                                    "batch_wait",
                                    "30s")));

            orders.send("after", "{\"n\":1}");
            orders.flush();
            Await.until(
                    "both messages have started runs",
                    Api.PATIENCE,
                    () -> started(api, "shop/each").size() == 2);
            Await.until(
                    "the batch has started a run",
                    Api.PATIENCE,
                    () -> started(api, "shop/batch").size() == 1);

            JsonNode message = api.run(
                            started(api, "shop/each").getLast().path("run_id").asText())
                    .path("input")
                    .path("message");
            assertThat(message.path("topic").asText()).isEqualTo("orders");
            assertThat(message.path("partition").asInt()).isZero();
            assertThat(message.path("offset").asInt()).isZero();
            assertThat(message.path("key").asText()).isEqualTo("before");
            assertThat(message.path("value")).isEqualTo(Json.parse("{\"n\":0}"));
            assertThat(message.path("timestamp").asText()).endsWith("Z");
            assertThat(events(api, "shop/each"))
                    .filteredOn(event -> event.path("state").asText().equals("refused"))
                    .singleElement()
                    .satisfies(event ->
                            assertThat(event.path("reason").asText()).contains("offset 1 of partition 0", "JSON"));
            JsonNode batch = api.run(
                            started(api, "shop/batch").getFirst().path("run_id").asText())
                    .path("input");
            assertThat(batch.path("source").asText()).isEqualTo("kafka");
            assertThat(batch.path("messages")).hasSize(3);

            pauseAndResume(api, orders);
            refusesWhatCannotWork(api);
        }
    }

    private static void pauseAndResume(Api api, KafkaTopic orders) {
        api.write("PATCH", "/api/v1/triggers/kafka/shop/each", Map.of("paused", true))
                .ok();
        orders.send("paused", "{\"n\":2}");
        orders.flush();
        apply(
                api,
                "shop/other",
                Map.of("run", RUN, "kafka", Map.of("connection", "shop/kafka", "topics", List.of("orders"))));
        Await.until(
                "the other trigger has seen it",
                Api.PATIENCE,
                () -> started(api, "shop/other").size() == 3);
        assertThat(started(api, "shop/each")).hasSize(2);
        api.write("PATCH", "/api/v1/triggers/kafka/shop/each", Map.of("paused", false))
                .ok();
        Await.until(
                "the message has started a run after the pause",
                Api.PATIENCE,
                () -> started(api, "shop/each").size() == 3);
    }

    private static void refusesWhatCannotWork(Api api) {
        Answer unknown = api.put(
                "/api/v1/triggers/kafka/shop/unknown",
                Map.of("run", RUN, "kafka", Map.of("connection", "shop/none", "topics", List.of("orders"))));
        assertThat(unknown.status()).isEqualTo(404);
        api.put("/api/v1/resources/shop/wrong", Map.of("value", Map.of("servers", "localhost:1")))
                .ok();
        Answer wrong = api.put(
                "/api/v1/triggers/kafka/shop/wrong",
                Map.of("run", RUN, "kafka", Map.of("connection", "shop/wrong", "topics", List.of("orders"))));
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.body().toString()).contains("bootstrap.servers");
        apply(
                api,
                "shop/lost",
                Map.of("run", RUN, "kafka", Map.of("connection", "shop/kafka", "topics", List.of("lost"))));
        Await.until(
                "the history says what lacks",
                Api.PATIENCE,
                () -> events(api, "shop/lost").stream()
                        .anyMatch(event -> event.path("reason").asText().contains("There is no topic lost")));
    }

    @Test
    void eachMessageStartsOneRunWhileSchedulersAndTheBrokerGoDown() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder);
                KafkaTopic orders = KafkaTopic.create(broker, "orders", PARTITIONS);
                Installation installation = Installation.start(
                        "kafka-crash",
                        ClusterPlan.small()
                                .withSchedulers(2)
                                .withWorkers()
                                .with("millrace.trigger.allow-private", "true"))) {
            Api api = installation.api();
            connect(api, broker);
            apply(
                    api,
                    "crash/each",
                    Map.of("run", RUN, "kafka", Map.of("connection", "shop/kafka", "topics", List.of("orders"))));
            int sent = sendRound(orders, 0);
            awaitAtLeast(api, sent / 2);
            installation.cluster().scheduler(1).kill();
            sent = sendRound(orders, sent);
            awaitAtLeast(api, sent / 2);
            installation.cluster().scheduler(1).start();
            sent = sendRound(orders, sent);
            installation.cluster().scheduler(0).kill();
            installation.cluster().scheduler(0).start();
            api.awaitReady();
            broker.stop();
            broker.startAgain();
            sent = sendRound(orders, sent);
            int all = sent;
            awaitAtLeast(api, all);
            Await.until(
                    "nothing is about to start",
                    Api.PATIENCE,
                    () -> events(api, "crash/each").stream()
                            .noneMatch(event -> event.path("state").asText().equals("pending")));

            List<JsonNode> runs = runs(api);
            Set<String> keys = runs.stream()
                    .map(run -> api.run(run.path("id").asText())
                            .path("input")
                            .path("message")
                            .path("key")
                            .asText())
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(runs).as("runs of %s messages", all).hasSize(all);
            assertThat(keys).hasSize(all);
        }
    }

    @Test
    void skipsABatchThatIsTooLongToBeRead() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder);
                KafkaTopic large = KafkaTopic.createLarge(broker, "large", 3 * LONG_BYTES);
                Installation installation = Installation.start(
                        "kafka-large",
                        ClusterPlan.small().withWorkers().with("millrace.trigger.allow-private", "true"))) {
            Api api = installation.api();
            connect(api, broker);
            apply(
                    api,
                    "shop/large",
                    Map.of("run", RUN, "kafka", Map.of("connection", "shop/kafka", "topics", List.of("large"))));
            large.send("before", "{\"n\":1}");
            large.flush();
            String text = "\"" + "x".repeat(LONG_BYTES / 2) + "\"";
            for (int message = 0; message < 5; message++) {
                large.send("long", text);
            }
            large.flush();
            large.send("after", "{\"n\":2}");
            large.flush();

            Await.until(
                    "the messages around the batch have started runs",
                    Api.PATIENCE.multipliedBy(3),
                    () -> started(api, "shop/large").size() == 2);
            assertThat(events(api, "shop/large"))
                    .filteredOn(event -> event.path("state").asText().equals("refused"))
                    .singleElement()
                    .satisfies(event -> assertThat(event.path("reason").asText())
                            .contains("offsets 1 to 5 of partition 0 of the topic large were skipped"));
        }
    }

    @Test
    void skipsACompressedMessageThatIsTooLongOnceItIsExpanded() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder);
                KafkaTopic compressed = KafkaTopic.createCompressed(broker, "compressed", "lz4", 3 * LONG_BYTES);
                Installation installation = Installation.start(
                        "kafka-compressed",
                        ClusterPlan.small().withWorkers().with("millrace.trigger.allow-private", "true"))) {
            Api api = installation.api();
            connect(api, broker);
            apply(
                    api,
                    "shop/compressed",
                    Map.of("run", RUN, "kafka", Map.of("connection", "shop/kafka", "topics", List.of("compressed"))));
            for (String key : List.of("before", "between", "after")) {
                compressed.send(key, "{\"text\":\"" + "y".repeat(LONG_BYTES / 40) + "\"}");
                compressed.flush();
                compressed.send("long " + key, "\"" + "x".repeat(2 * LONG_BYTES) + "\"");
                compressed.flush();
            }
            compressed.send("last", "{\"n\":1}");
            compressed.flush();

            Await.until(
                    "the messages around the long ones have started runs",
                    Api.PATIENCE.multipliedBy(6),
                    () -> started(api, "shop/compressed").size() == 4);
            assertThat(events(api, "shop/compressed"))
                    .filteredOn(event -> event.path("state").asText().equals("refused"))
                    .extracting(event -> event.path("reason").asText())
                    .hasSize(3)
                    .anySatisfy(reason -> assertThat(reason)
                            .contains("offsets 1 to 1 of partition 0 of the topic compressed were skipped"));
        }
    }

    @Test
    void comesInByPasswordAndByCertificate() throws Exception {
        Path certificates = Files.createDirectory(folder.resolve("certificates"));
        assertThat(new Cli(Map.of())
                        .run("certs", "dev", "--out", certificates.toString())
                        .exitCode())
                .isZero();
        String password = "correct \\ horse";
        KafkaBroker.Protection protection = new KafkaBroker.Protection(
                Files.readString(certificates.resolve("server.pem")),
                Files.readString(certificates.resolve("server.key")),
                new KafkaBroker.User("millrace", password.replace("\\", "\\\\")));
        try (KafkaBroker broker = KafkaBroker.start(Files.createDirectory(folder.resolve("data")), protection);
                KafkaTopic orders = KafkaTopic.create(broker, "orders", 1);
                Installation installation = Installation.start(
                        "kafka-doors",
                        ClusterPlan.small().withWorkers().with("millrace.trigger.allow-private", "true"))) {
            orders.allowScram("millrace", password);
            Api api = installation.api();
            Map<String, String> sasl = Map.of(
                    "bootstrap.servers",
                    broker.saslServers(),
                    "security.protocol",
                    "SASL_PLAINTEXT",
                    "sasl.username",
                    "millrace");
            listen(api, "plain", with(sasl, Map.of("sasl.mechanism", "PLAIN", "sasl.password", password)));
            listen(api, "scram", with(sasl, Map.of("sasl.mechanism", "SCRAM-SHA-256", "sasl.password", password)));
            listen(api, "wrong", with(sasl, Map.of("sasl.mechanism", "PLAIN", "sasl.password", "guessed")));
            listen(
                    api,
                    "tls",
                    Map.of(
                            "bootstrap.servers",
                            broker.tlsServers(),
                            "security.protocol",
                            "SSL",
                            "ssl.truststore.certificates",
                            Files.readString(certificates.resolve("ca.pem"))));

            orders.send("one", "{\"n\":1}");
            orders.flush();

            for (String door : List.of("plain", "scram", "tls")) {
                Await.until(
                        "the message has come in by " + door,
                        Api.PATIENCE,
                        () -> started(api, "doors/" + door).size() == 1);
            }
            Await.until(
                    "the history says why nothing comes in",
                    Api.PATIENCE,
                    () -> events(api, "doors/wrong").stream()
                            .anyMatch(event -> event.path("reason").asText().contains("Authentication failed")));
        }
    }

    private static void listen(Api api, String name, Map<String, String> connection) {
        api.put("/api/v1/resources/doors/" + name, Map.of("value", connection)).ok();
        apply(
                api,
                "doors/" + name,
                Map.of("run", RUN, "kafka", Map.of("connection", "doors/" + name, "topics", List.of("orders"))));
    }

    private static Map<String, String> with(Map<String, String> some, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(some);
        all.putAll(more);
        return all;
    }

    private static int sendRound(KafkaTopic topic, int from) {
        IntStream.range(from, from + MESSAGES_A_ROUND).forEach(n -> topic.send("m" + n, "{\"n\":" + n + "}"));
        topic.flush();
        return from + MESSAGES_A_ROUND;
    }

    private static void awaitAtLeast(Api api, int count) {
        Await.until(count + " messages have started runs", Api.PATIENCE.multipliedBy(3), () -> {
            try {
                return started(api, "crash/each").size() >= count;
            } catch (UncheckedIOException | AssertionError away) {
                return false;
            }
        });
    }

    private static void connect(Api api, KafkaBroker broker) {
        api.put("/api/v1/resources/shop/kafka", Map.of("value", Map.of("bootstrap.servers", broker.servers())))
                .ok();
    }

    private static void apply(Api api, String path, Map<String, Object> trigger) {
        api.put("/api/v1/triggers/kafka/" + path, trigger).ok();
    }

    private static List<JsonNode> started(Api api, String path) {
        return events(api, path).stream()
                .filter(event -> event.path("state").asText().equals("started"))
                .toList();
    }

    private static List<JsonNode> events(Api api, String path) {
        return pages(api, "/api/v1/trigger-events/kafka/" + path);
    }

    private static List<JsonNode> runs(Api api) {
        return pages(api, "/api/v1/runs");
    }

    private static List<JsonNode> pages(Api api, String address) {
        List<JsonNode> items = new ArrayList<>();
        String token = "";
        do {
            JsonNode page =
                    api.get(address + "?page_size=500&page_token=" + token).ok();
            page.path("items").forEach(items::add);
            token = page.path("next_page_token").asText();
        } while (!token.isEmpty());
        return items;
    }
}
