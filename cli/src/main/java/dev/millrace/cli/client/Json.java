package dev.millrace.cli.client;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.output.ControlCharacters;
import dev.millrace.cli.output.Paint;
import dev.millrace.text.Durations;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and writes JSON trees; numbers keep their digits. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder(new JsonFactoryBuilder()
                    .characterEscapes(new ControlEscapes())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Json() {}

    /** Parses one JSON value; empty if the text is not JSON. */
    public static Optional<JsonNode> parse(String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            return node.isMissingNode() ? Optional.empty() : Optional.of(node);
        } catch (JsonProcessingException notJson) {
            return Optional.empty();
        }
    }

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    public static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    public static String compact(JsonNode node) {
        try {
            return MAPPER.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Several lines for people; see {@link PrettyJson}. */
    public static String pretty(JsonNode node) {
        return PrettyJson.text(node, Paint.NONE);
    }

    /** The same with colors. */
    public static String pretty(JsonNode node, Paint paint) {
        return PrettyJson.text(node, paint);
    }

    /** Text of a field; empty if the field is absent or null. */
    public static String text(JsonNode node, String field) {
        return node.path(field).asText("");
    }

    public static Optional<Instant> instant(JsonNode node, String field) {
        String text = text(node, field);
        return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    }

    /** Reads a duration in the gateway's format, for example {@code 0.012s}. */
    static Optional<Duration> seconds(JsonNode node, String field) {
        return Durations.parse(text(node, field));
    }

    /** Escapes all control characters. JSON requires that for the first 32 only, but terminals obey more of them. */
    private static final class ControlEscapes extends CharacterEscapes {
        private static final long serialVersionUID = 1L;
        private static final int DELETE = 0x7f;

        @Override
        public int[] getEscapeCodesForAscii() {
            int[] escapes = standardAsciiEscapesForJSON();
            escapes[DELETE] = ESCAPE_STANDARD;
            return escapes;
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int character) {
            return ControlCharacters.contains(character)
                    ? new SerializedString(String.format("\\u%04x", character))
                    : null;
        }
    }
}
