package dev.millrace.e2e.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.trigger.KafkaTopic;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.KafkaBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * As many triggers of Kafka as a workspace may have read one topic whose messages fill whole batches of a producer. Together
 * they read many times what the heap of 256 MB holds; the scheduler lives on, misses nothing, and answers others meanwhile.
 */
@Tag("nightly")
final class KafkaFloodTest {
    private static final int TRIGGERS = Integer.getInteger("millrace.test.triggers", 50);
    private static final int LARGE_MESSAGES = Integer.getInteger("millrace.test.messages", 10);
    private static final int LARGE_BYTES = 8 << 20;
    private static final int SMALL_MESSAGES = 20_000;
    private static final int SMALL_BYTES = 1 << 10;
    private static final int SMALL_BATCH_BYTES = 64 << 10;
    private static final int BATCH = 100;
    /** Longest time of a run beside the flood, including retries. */
    private static final Duration PROBE_LIMIT = Duration.ofSeconds(45);

    private static final Duration FLOOD_LIMIT = Duration.ofMinutes(5);
    private static final String PROBE = "def main(number: int):\n    return number\n";

    @TempDir
    private Path folder;

    @Test
    void aSchedulerLivesThroughAFlood() throws Exception {
        flood("none");
    }

    @Test
    void aSchedulerLivesThroughAFloodOfCompressedMessages() throws Exception {
        flood("gzip");
    }

    private void flood(String compression) throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder);
                KafkaTopic large = KafkaTopic.createCompressed(broker, "large", compression, 2 * LARGE_BYTES);
                KafkaTopic small = KafkaTopic.createLarge(broker, "small", SMALL_BATCH_BYTES);
                Installation installation = Installation.start(
                        "kafka-flood-" + compression,
                        ClusterPlan.small().with("millrace.trigger.allow-private", "true"))) {
            Api api = installation.api();
            api.deployScript("load/probe.py", PROBE);
            api.put("/api/v1/resources/flood/kafka", Map.of("value", Map.of("bootstrap.servers", broker.servers())))
                    .ok();
            readSmall(api, small);
            for (int number = 0; number < TRIGGERS; number++) {
                apply(api, "t" + number, "large", Map.of());
            }
            try (var probe =
                    new Probe(installation.cluster().gatewayUrl(), api.contract(), "load/probe.py", PROBE_LIMIT)) {
                String text = "\"" + "x".repeat(LARGE_BYTES) + "\"";
                long begun = System.nanoTime();
                for (int message = 0; message < LARGE_MESSAGES; message++) {
                    large.send("large", text);
                    large.flush();
                }
                for (int number = 0; number < TRIGGERS; number++) {
                    String name = "t" + number;
                    Await.until(
                            "all messages are noted for " + name,
                            FLOOD_LIMIT,
                            () -> events(api, name).size() >= LARGE_MESSAGES);
                    assertThat(events(api, name))
                            .hasSize(LARGE_MESSAGES)
                            .allSatisfy(event ->
                                    assertThat(event.path("state").asText()).isEqualTo("refused"));
                }
                System.out.printf("the flood took %d ms%n", millisSince(begun));
                probe.requireUnharmed();
            }
            assertThat(installation.cluster().scheduler(0).isAlive()).isTrue();
        }
    }

    private static void readSmall(Api api, KafkaTopic small) {
        String text = "\"" + "x".repeat(SMALL_BYTES) + "\"";
        for (int message = 0; message < SMALL_MESSAGES; message++) {
            small.send("small", text);
        }
        small.flush();
        long begun = System.nanoTime();
        apply(api, "small", "small", Map.of("batch_max", BATCH, "batch_wait", "5s"));
        Await.until(
                "the small messages have started runs",
                Api.PATIENCE.multipliedBy(2),
                () -> events(api, "small").size() >= SMALL_MESSAGES / BATCH);
        api.write("PATCH", "/api/v1/triggers/kafka/flood/small", Map.of("paused", true))
                .ok();
        System.out.printf("%d small messages took %d ms%n", SMALL_MESSAGES, millisSince(begun));
    }

    private static void apply(Api api, String name, String topic, Map<String, Object> more) {
        Map<String, Object> source = new HashMap<>(more);
        source.put("connection", "flood/kafka");
        source.put("topics", List.of(topic));
        api.put(
                        "/api/v1/triggers/kafka/flood/" + name,
                        Map.of("run", Map.of("target", Map.of("handler", "nobody")), "kafka", source))
                .ok();
    }

    private static List<JsonNode> events(Api api, String name) {
        JsonNode page = api.get("/api/v1/trigger-events/kafka/flood/" + name + "?page_size=500")
                .ok();
        return page.path("items").valueStream().toList();
    }

    private static long millisSince(long begun) {
        return (System.nanoTime() - begun) / 1_000_000;
    }
}
