package dev.millrace.e2e.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.MqttBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * As many triggers of MQTT as a workspace may have get messages as large as they may be, all at once, and a scheduler with a
 * heap of 256 MB lives on, refuses none that it may not refuse, and answers others meanwhile.
 */
@Tag("nightly")
final class MqttFloodTest {
    private static final int TRIGGERS = Integer.getInteger("millrace.test.triggers", 50);
    private static final int MESSAGES_OF_A_KIND = Integer.getInteger("millrace.test.messages", 10);
    private static final int PROPERTIES_MAX = 1_000;
    private static final int PROPERTY_CHARS = 200;
    private static final int PACKET_BYTES_MAX = 256 << 10;
    /** Longest time of a run beside the flood, including retries. */
    private static final Duration PROBE_LIMIT = Duration.ofSeconds(45);

    private static final String PROBE = "def main(number: int):\n    return number\n";

    @TempDir
    private Path folder;

    @Test
    void aSchedulerLivesThroughAFlood() throws Exception {
        Optional<Path> mosquitto = MqttBroker.program();
        assumeThat(mosquitto).as("Mosquitto").isPresent();
        try (MqttBroker broker = MqttBroker.start(mosquitto.orElseThrow(), folder);
                Installation installation = Installation.start(
                        "mqtt-flood", ClusterPlan.small().with("millrace.trigger.allow-private", "true"))) {
            Api api = installation.api();
            api.deployScript("load/probe.py", PROBE);
            api.put("/api/v1/resources/flood/mqtt", Map.of("value", Map.of("url", broker.url())))
                    .ok();
            for (int number = 0; number < TRIGGERS; number++) {
                api.put(
                                path(number),
                                Map.of(
                                        "run", Map.of("target", Map.of("handler", "nobody")),
                                        "mqtt", source(number)))
                        .ok();
            }
            try (MqttFlood flood = new MqttFlood(broker.url())) {
                for (int number = 0; number < TRIGGERS; number++) {
                    awaitSubscribed(api, flood, number);
                }
                try (var probe =
                        new Probe(installation.cluster().gatewayUrl(), api.contract(), "load/probe.py", PROBE_LIMIT)) {
                    long begun = System.nanoTime();
                    send(flood);
                    for (int number = 1; number < TRIGGERS; number += 2) {
                        awaitAll(api, number);
                    }
                    System.out.printf("the flood took %d ms%n", (System.nanoTime() - begun) / 1_000_000);
                    probe.requireUnharmed();
                }
                assertThat(installation.cluster().scheduler(0).isAlive()).isTrue();
            }
        }
    }

    /** Those with an even number take no answer from anybody, and those with an odd one must lose nothing. */
    private static Map<String, Object> source(int number) {
        return Map.of("connection", "flood/mqtt", "topics", List.of("flood/#", "first/" + number), "qos", number % 2);
    }

    private static void send(MqttFlood flood) throws IOException {
        for (int message = 0; message < MESSAGES_OF_A_KIND; message++) {
            flood.publish("flood/large", 1, MqttFlood.payload(PACKET_BYTES_MAX - 100), 0, 0);
            flood.publish("flood/properties", 1, MqttFlood.payload(10), PROPERTIES_MAX, PROPERTY_CHARS);
            flood.publish("flood/many", 1, MqttFlood.payload(10), PROPERTIES_MAX + 1, 1);
            flood.publish("flood/too-large", 1, MqttFlood.payload(8 * PACKET_BYTES_MAX), 0, 0);
        }
    }

    private static void awaitSubscribed(Api api, MqttFlood flood, int number) {
        Await.until("the trigger " + number + " has subscribed", Api.PATIENCE, () -> {
            try {
                flood.publish("first/" + number, 1, MqttFlood.payload(10), 0, 0);
            } catch (IOException broken) {
                throw new AssertionError(broken);
            }
            return !events(api, number).isEmpty();
        });
    }

    private static void awaitAll(Api api, int number) {
        // With QoS 1, a message may come twice.
        Await.until("each message of the trigger " + number + " is noted", Api.PATIENCE.multipliedBy(4), () -> {
            List<JsonNode> events = events(api, number);
            return count(events, "started") > 2 * MESSAGES_OF_A_KIND
                    && count(events, "refused") >= 2 * MESSAGES_OF_A_KIND;
        });
    }

    private static long count(List<JsonNode> events, String state) {
        return events.stream()
                .filter(event -> event.path("state").asText().equals(state))
                .count();
    }

    private static List<JsonNode> events(Api api, int number) {
        JsonNode page = api.get(path(number).replace("/triggers/", "/trigger-events/") + "?page_size=500")
                .ok();
        return page.path("items").valueStream().toList();
    }

    private static String path(int number) {
        return "/api/v1/triggers/mqtt/flood/t" + number;
    }
}
