package dev.millrace.e2e.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Answer;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.KafkaBroker;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Event handlers of Conductor read topics of a real broker: each message once, whoever is killed or away meanwhile. */
@Tag("nightly")
final class KafkaHandlerTest {
    private static final int PARTITIONS = 4;
    private static final int MESSAGES_A_ROUND = 100;
    private static final String HISTORY = "/api/v1/event-executions/";

    private static final String SHIP = """
            {"name": "ship", "version": 1, "tasks": [
              {"name": "note", "taskReferenceName": "note", "type": "SET_VARIABLE", "inputParameters": {"n": "${workflow.input.n}"}}],
             "outputParameters": {"n": "${workflow.input.n}"}}
            """;
    private static final String WAIT = """
            {"name": "hold", "version": 1, "tasks": [
              {"name": "gate", "taskReferenceName": "gate", "type": "WAIT"}], "outputParameters": {"got": "${gate.output}"}}
            """;

    @TempDir
    private Path folder;

    @Test
    void eachMessageIsHandledOnceWhileSchedulersAndTheBrokerGoDown() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder);
                KafkaTopic orders = KafkaTopic.create(broker, "orders", PARTITIONS);
                Installation installation = Installation.start(
                        "kafka-handlers",
                        ClusterPlan.small()
                                .withSchedulers(2)
                                .withWorkers()
                                .with("millrace.trigger.allow-private", "true"))) {
            Api api = installation.api();
            api.deployFlow(SHIP, Map.of());
            api.deployFlow(WAIT, Map.of());
            orders.send("before", "{\"n\": -2}");
            orders.flush();
            Answer early = api.post("/api/v1/conductor/event", handler("ship", "kafka:orders", "true", start()));
            assertThat(early.status()).isEqualTo(404);
            assertThat(early.body().toString()).contains("kafka");
            api.put("/api/v1/resources/kafka", Map.of("value", Map.of("bootstrap.servers", broker.servers())))
                    .ok();
            api.put("/api/v1/resources/shop/kafka", Map.of("value", Map.of("bootstrap.servers", broker.servers())))
                    .ok();
            put(api, handler("ship", "kafka:orders", "$.n % 2 == 0", start()));
            put(api, handler("tell", "kafka:shop/kafka:orders", "$.run != null", complete()));
            put(api, handler("lost", "kafka:no-such-topic", "true", start()));

            int sent = send(orders, 0);
            awaitHandled(api, sent / 2);
            installation.cluster().scheduler(1).kill();
            sent = send(orders, sent);
            installation.cluster().scheduler(1).start();
            awaitHandled(api, sent / 2);
            sent = send(orders, sent);
            installation.cluster().scheduler(0).kill();
            installation.cluster().scheduler(0).start();
            api.awaitReady();
            broker.stop();
            broker.startAgain();
            sent = send(orders, sent);
            String waiting = api.submit(Map.of("target", Map.of("flow", "hold")));
            orders.send("tell", "{\"n\": 1, \"run\": \"" + waiting + "\"}");
            orders.send("poison", "\u0000 no JSON, a text");
            orders.flush();
            int all = sent + 2;
            awaitHandled(api, all);

            List<JsonNode> history = pages(api, HISTORY + "ship").stream()
                    .filter(one -> one.has("message_source"))
                    .toList();
            assertThat(history).hasSize(all);
            assertThat(history)
                    .extracting(one -> one.path("message_source").asText())
                    .doesNotHaveDuplicates();
            assertThat(history).noneMatch(one -> one.has("message_run_id"));
            List<Integer> shipped = pages(api, "/api/v1/runs").stream()
                    .filter(run -> run.path("name").asText().equals("ship"))
                    .map(run -> api.run(run.path("id").asText())
                            .path("input")
                            .path("n")
                            .asInt())
                    .sorted()
                    .toList();
            assertThat(shipped)
                    .containsExactlyElementsOf(IntStream.range(0, sent)
                            .filter(n -> n % 2 == 0)
                            .boxed()
                            .toList());
            Await.until(
                    "the message has ended the task",
                    Api.PATIENCE,
                    () -> api.run(waiting).path("output").path("got").path("n").asInt() == 1);
            assertThat(pages(api, HISTORY + "lost"))
                    .anyMatch(one -> one.path("reason").asText().contains("There is no topic no-such-topic"));
        }
    }

    private static Map<String, Object> start() {
        return Map.of(
                "action", "start_workflow", "start_workflow", Map.of("name", "ship", "input", Map.of("n", "${n}")));
    }

    private static Map<String, Object> complete() {
        return Map.of(
                "action",
                "complete_task",
                "complete_task",
                Map.of("workflowId", "${run}", "taskRefName", "gate", "output", Map.of("n", "${n}")));
    }

    private static Map<String, Object> handler(
            String name, String event, String condition, Map<String, Object> action) {
        Map<String, Object> handler = new HashMap<>();
        handler.put("name", name);
        handler.put("event", event);
        handler.put("condition", condition);
        handler.put("active", true);
        handler.put("actions", List.of(action));
        return handler;
    }

    private static void put(Api api, Map<String, Object> handler) {
        api.post("/api/v1/conductor/event", handler).ok();
    }

    private static int send(KafkaTopic topic, int from) {
        IntStream.range(from, from + MESSAGES_A_ROUND).forEach(n -> topic.send("m" + n, "{\"n\":" + n + "}"));
        topic.flush();
        return from + MESSAGES_A_ROUND;
    }

    private static void awaitHandled(Api api, int count) {
        Await.until(count + " messages are handled", Api.PATIENCE.multipliedBy(3), () -> {
            try {
                List<JsonNode> handled = pages(api, HISTORY + "ship").stream()
                        .filter(one -> one.has("message_source"))
                        .toList();
                return handled.size() >= count
                        && handled.stream()
                                .noneMatch(one -> one.path("state").asText().equals("in_progress"));
            } catch (UncheckedIOException | AssertionError away) {
                return false;
            }
        });
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
