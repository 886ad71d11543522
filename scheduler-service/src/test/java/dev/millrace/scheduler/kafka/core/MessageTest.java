package dev.millrace.scheduler.kafka.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.trigger.core.ContentFormat;
import dev.millrace.scheduler.trigger.core.EventInput;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessageTest {
    private static final byte[] NO_TEXT = {(byte) 0xff, 0};

    @Test
    void becomesJson() {
        Message message = message(Optional.of(bytes("k")), Optional.of(bytes("{\"a\":1}")));

        assertThat(message.json(ContentFormat.JSON).orElseThrow().text())
                .isEqualTo("{\"topic\":\"t\",\"partition\":2,\"offset\":7,\"timestamp\":\"1970-01-01T00:00:00Z\","
                        + "\"key\":\"k\",\"value\":{\"a\":1},\"headers\":{\"h\":\"/wA=\"}}");
        assertThat(value(message, ContentFormat.TEXT)).isEqualTo(JsonValue.ofString("{\"a\":1}"));
        assertThat(value(message, ContentFormat.BASE64)).isEqualTo(JsonValue.ofString("eyJhIjoxfQ=="));
        assertThat(value(message(Optional.empty(), Optional.empty()), ContentFormat.JSON))
                .isEqualTo(JsonValue.NULL);
    }

    @Test
    void isRefusedIfItIsNotWhatTheFormatSays() {
        for (String broken : List.of("", "{", "{} {}", "\u0000", "01")) {
            assertThat(message(Optional.empty(), Optional.of(bytes(broken))).json(ContentFormat.JSON))
                    .as(broken)
                    .isEmpty();
        }
        Message noText = message(Optional.empty(), Optional.of(NO_TEXT));
        assertThat(noText.json(ContentFormat.JSON)).isEmpty();
        assertThat(noText.json(ContentFormat.TEXT)).isEmpty();
        assertThat(noText.json(ContentFormat.BASE64)).isPresent();
        assertThat(message(Optional.of(NO_TEXT), Optional.empty()).json(ContentFormat.JSON))
                .isEmpty();
    }

    @Test
    void leavesFixedMembersAlone() {
        JsonValue input = EventInput.of(
                JsonValue.of("{\"source\":\"shop\",\"message\":1}"), "message", JsonValue.of("{\"evil\":true}"));

        assertThat(input.members()).containsEntry("message", JsonValue.of(1)).containsKey("source");
    }

    private static JsonValue value(Message message, ContentFormat format) {
        return Objects.requireNonNull(
                message.json(format).orElseThrow().members().get("value"));
    }

    private static Message message(Optional<byte[]> key, Optional<byte[]> value) {
        return new Message("t", 2, 7, Instant.EPOCH, key, value, Map.of("h", NO_TEXT));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
