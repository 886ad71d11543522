package dev.millrace.scheduler.mqtt.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.trigger.core.ContentFormat;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class MessageJsonTest {
    private static final Arrival.Head HEAD = new Arrival.Head("plant/7/temp", 1, true, false, OptionalInt.of(3));

    @Test
    void becomesJsonWithTheLevelsOfItsTopic() {
        Arrival.Message message = new Arrival.Message(
                HEAD,
                "{\"c\":21}".getBytes(UTF_8),
                new MessageProperties(
                        Optional.of("application/json"),
                        Optional.of("answers"),
                        Optional.of(new byte[] {(byte) 0xff}),
                        Map.of("source", "plc")));

        assertThat(MessageJson.of(message, ContentFormat.JSON).orElseThrow().text())
                .isEqualTo("{\"topic\":\"plant/7/temp\",\"levels\":[\"plant\",\"7\",\"temp\"],\"qos\":1,"
                        + "\"retained\":true,\"repeated\":false,\"payload\":{\"c\":21},"
                        + "\"content_type\":\"application/json\",\"response_topic\":\"answers\","
                        + "\"correlation\":\"/w==\",\"properties\":{\"source\":\"plc\"}}");
        assertThat(MessageJson.of(message("21 C"), ContentFormat.JSON)).isEmpty();
        assertThat(payload(message("21 C"), ContentFormat.TEXT)).contains(JsonValue.ofString("21 C"));
        assertThat(payload(message("21 C"), ContentFormat.BASE64)).contains(JsonValue.ofString("MjEgQw=="));
    }

    @Test
    void isNamedByAValueOfItsPayloadOrByAProperty() {
        assertThat(key("payload:order.id", "{\"order\":{\"id\":7}}")).contains("7");
        assertThat(key("payload:order.id", "{\"order\":{\"id\":{}}}")).isEmpty();
        assertThat(key("payload:order.id", "no json")).isEmpty();
        assertThat(key("off", "{}")).isEmpty();
        assertThat(key("property:id", "")).contains("x");
        assertThat(key("property:none", "")).isEmpty();
        assertThat(Deduplication.parse("payload:")).isEmpty();
        assertThat(Deduplication.parse("header:x")).isEmpty();
        assertThat(Deduplication.parse("")).contains(new Deduplication.Off());
    }

    @Test
    void waitsForItsBatch() {
        Waiting waiting = new Waiting(2, Duration.ofNanos(10), 100);
        waiting.add(new Arrival.Release(1), 0);
        assertThat(waiting.isDue(0)).as("a release waits for nothing").isTrue();
        assertThat(waiting.take()).hasSize(1);

        waiting.add(message("a"), 5);
        assertThat(waiting.isDue(14)).isFalse();
        assertThat(waiting.untilDue(6)).hasValue(9);
        assertThat(waiting.isDue(15)).isTrue();
        waiting.add(message("b"), 6);
        assertThat(waiting.isFull()).isTrue();
        assertThat(waiting.take()).hasSize(2);
        assertThat(waiting.untilDue(100)).isEmpty();

        waiting.add(message("x".repeat(100)), 200);
        assertThat(waiting.isDue(200)).as("large ones do not wait").isTrue();
    }

    private static Optional<String> key(String by, String payload) {
        MessageProperties properties =
                new MessageProperties(Optional.empty(), Optional.empty(), Optional.empty(), Map.of("id", "x"));
        return Deduplication.parse(by)
                .orElseThrow()
                .key(new Arrival.Message(HEAD, payload.getBytes(UTF_8), properties));
    }

    private static Optional<JsonValue> payload(Arrival.Message message, ContentFormat format) {
        return MessageJson.of(message, format).map(json -> json.members().getOrDefault("payload", JsonValue.NULL));
    }

    private static Arrival.Message message(String payload) {
        return new Arrival.Message(HEAD, payload.getBytes(UTF_8), MessageProperties.NONE);
    }
}
