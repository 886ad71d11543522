package dev.millrace.e2e.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.MqttBroker;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of a real broker start runs, while schedulers are killed and the broker starts again. */
final class MqttTriggerTest {
    private static final int ROUNDS = 4;
    private static final int MESSAGES_A_ROUND = 100;
    /** Paho counts a message as in flight for some time after its publication has ended. */
    private static final int IN_FLIGHT_MAX = 1_000;

    private static final List<String> TRIGGERS = List.of("exact", "named", "plain");

    @TempDir
    private Path folder;

    @Test
    @Tag("nightly")
    void messagesStartTheirRunsWhateverIsKilled() throws Exception {
        Optional<Path> mosquitto = MqttBroker.program();
        assumeThat(mosquitto).as("Mosquitto").isPresent();
        try (MqttBroker broker = MqttBroker.start(mosquitto.orElseThrow(), folder);
                Installation installation = Installation.start(
                        "mqtt-trigger",
                        ClusterPlan.small()
                                .withSchedulers(2)
                                .withWorkers()
                                .with("millrace.trigger.allow-private", "true"))) {
            Api api = installation.api();
            api.put("/api/v1/resources/shop/mqtt", Map.of("value", Map.of("url", broker.url(), "version", "3.1.1")))
                    .ok();
            apply(api, "exact", Map.of("connection", "shop/mqtt", "topics", List.of("exact/+"), "qos", 2));
            apply(
                    api,
                    "named",
                    Map.of("connection", "shop/mqtt", "topics", List.of("named"), "deduplicate", "payload:n"));
            apply(api, "plain", Map.of("connection", "shop/mqtt", "topics", List.of("plain")));
            untilSubscribed(api, broker);
            Map<String, Long> before =
                    TRIGGERS.stream().collect(Collectors.toMap(trigger -> trigger, trigger -> started(api, trigger)));

            int number = 0;
            for (int round = 0; round < ROUNDS; round++) {
                try (MqttClient publisher = publisher(broker, "round" + round)) {
                    for (int message = 0; message < MESSAGES_A_ROUND; message++) {
                        if (message == MESSAGES_A_ROUND / 2 && round < 3) {
                            int killed = round % 2;
                            installation.cluster().scheduler(killed).kill();
                            installation.cluster().scheduler(killed).start();
                        }
                        byte[] payload = ("{\"n\":" + number++ + "}").getBytes(UTF_8);
                        publisher.publish("exact/a", payload, 2, false);
                        publisher.publish("named", payload, 1, false);
                        publisher.publish("plain", payload, 1, false);
                    }
                    publisher.disconnect();
                }
                api.awaitReady();
                if (round == 1) {
                    broker.restart();
                }
            }
            int all = ROUNDS * MESSAGES_A_ROUND;
            for (String trigger : TRIGGERS) {
                Await.until("all messages have started runs: " + trigger, Api.PATIENCE.multipliedBy(4), () -> {
                    try {
                        return started(api, trigger) >= before.getOrDefault(trigger, 0L) + all;
                    } catch (UncheckedIOException | AssertionError away) {
                        return false;
                    }
                });
            }
            // Some of those that have started may be of the messages that were sent first.
            for (String trigger : TRIGGERS) {
                Await.until(
                        "each message has started a run: " + trigger,
                        Api.PATIENCE,
                        () -> numbers(api, trigger).stream().distinct().count() == all);
            }

            assertThat(numbers(api, "exact")).hasSize(all).doesNotHaveDuplicates();
            assertThat(numbers(api, "named")).hasSize(all).doesNotHaveDuplicates();
        }
    }

    private static void apply(Api api, String name, Map<String, Object> source) {
        api.put(
                        "/api/v1/triggers/mqtt/shop/" + name,
                        Map.of("run", Map.of("target", Map.of("handler", name)), "mqtt", source))
                .ok();
    }

    /** Sends messages until each trigger has started a run, and leaves them out of the count. */
    private static void untilSubscribed(Api api, MqttBroker broker) throws MqttException {
        try (MqttClient publisher = publisher(broker, "first")) {
            for (String trigger : TRIGGERS) {
                String topic = trigger.equals("exact") ? "exact/first" : trigger;
                Await.until("the trigger " + trigger + " has subscribed", Api.PATIENCE, () -> {
                    try {
                        publisher.publish(topic, "{\"n\":-1}".getBytes(UTF_8), 2, false);
                        return started(api, trigger) > 0;
                    } catch (MqttException failure) {
                        throw new IllegalStateException(failure);
                    }
                });
            }
            publisher.disconnect();
        }
    }

    private static MqttClient publisher(MqttBroker broker, String id) throws MqttException {
        MqttClient publisher = new MqttClient(broker.url().replace("mqtt:", "tcp:"), id, new MemoryPersistence());
        MqttConnectOptions options = new MqttConnectOptions();
        options.setMaxInflight(IN_FLIGHT_MAX);
        options.setMqttVersion(MqttConnectOptions.MQTT_VERSION_3_1_1);
        publisher.setTimeToWait(Api.PATIENCE.toMillis());
        publisher.connect(options);
        return publisher;
    }

    private static long started(Api api, String trigger) {
        return pages(api, "/api/v1/trigger-events/mqtt/shop/" + trigger + "?").stream()
                .filter(event -> event.path("state").asText().equals("started"))
                .count();
    }

    /** The numbers of the messages whose runs were accepted. */
    private static List<Integer> numbers(Api api, String trigger) {
        return pages(api, "/api/v1/runs?name=" + trigger + "&").stream()
                .map(run -> api.run(run.path("id").asText())
                        .path("input")
                        .path("message")
                        .path("payload")
                        .path("n")
                        .asInt(-1))
                .filter(n -> n >= 0)
                .toList();
    }

    private static List<JsonNode> pages(Api api, String address) {
        List<JsonNode> items = new ArrayList<>();
        String token = "";
        do {
            JsonNode page =
                    api.get(address + "page_size=500&page_token=" + token).ok();
            page.path("items").forEach(items::add);
            token = page.path("next_page_token").asText();
        } while (!token.isEmpty());
        return items;
    }
}
