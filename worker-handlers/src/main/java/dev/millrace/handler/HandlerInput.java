package dev.millrace.handler;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.text.Durations;
import dev.millrace.worker.JobException;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Input of a handler, read key by key. Each failure is a permanent {@code InputError} that names the key, its value and
 * what is expected. A null value counts as absent. Not thread-safe.
 */
public final class HandlerInput {
    /** Keeps all digits of numbers. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private static final int SHOWN_CHARS_MAX = 100;

    private final String handler;
    private final ObjectNode members;
    private final Set<String> known = new LinkedHashSet<>();

    /**
     * @param handler name of the handler, for messages
     * @param input the input of the job as JSON
     */
    public HandlerInput(String handler, byte[] input) {
        this.handler = handler;
        if (!(parse(handler, input) instanceof ObjectNode object)) {
            throw new JobException("InputError", "The input of " + handler + " is not an object.", false);
        }
        this.members = object;
    }

    private static JsonNode parse(String handler, byte[] input) {
        try {
            return JSON.readTree(input);
        } catch (IOException e) {
            throw new JobException("InputError", "The input of " + handler + " is not JSON: " + e.getMessage(), false);
        }
    }

    /** The value of a key, of any type; absent if it is null. */
    public Optional<JsonNode> value(String key) {
        known.add(key);
        JsonNode value = members.get(key);
        return value == null || value.isNull() ? Optional.empty() : Optional.of(value);
    }

    /** A required, non-empty text. */
    public String requiredText(String key) {
        return text(key).filter(text -> !text.isEmpty()).orElseThrow(() -> invalid(key, "a text"));
    }

    public Optional<String> text(String key) {
        return value(key).map(value -> {
            if (!value.isTextual()) {
                throw invalid(key, "a text");
            }
            return value.textValue();
        });
    }

    public Optional<Boolean> flag(String key) {
        return value(key).map(value -> {
            if (!value.isBoolean()) {
                throw invalid(key, "true or false");
            }
            return value.booleanValue();
        });
    }

    /** An integer in this range, both ends included. */
    public Optional<Integer> integer(String key, int min, int max) {
        String expected = "a whole number from " + min + " to " + max;
        return value(key).map(value -> {
            if (!value.isIntegralNumber()
                    || !value.canConvertToInt()
                    || value.intValue() < min
                    || value.intValue() > max) {
                throw invalid(key, expected);
            }
            return value.intValue();
        });
    }

    /** A duration: seconds as a number, or a text such as {@code 250ms}. */
    public Optional<Duration> duration(String key, Duration max) {
        return value(key).map(value -> {
            Duration duration = value.isNumber()
                    ? ofSeconds(value.decimalValue())
                    : Durations.parse(value.asText()).orElse(Duration.ZERO);
            if (duration.isNegative() || duration.isZero() || duration.compareTo(max) > 0) {
                throw invalid(
                        key, "seconds as a number, or a duration such as 250ms, 30s or 5m, of at most " + words(max));
            }
            return duration;
        });
    }

    /** An object whose values are texts, numbers, true or false; empty if absent. */
    public Map<String, String> texts(String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        value(key).ifPresent(value -> {
            if (!(value instanceof ObjectNode object)) {
                throw invalid(key, "an object of texts");
            }
            object.properties().forEach(member -> {
                if (!member.getValue().isValueNode() || member.getValue().isNull()) {
                    throw invalid(key, "an object of texts, but \"" + member.getKey() + "\" is not a text");
                }
                texts.put(member.getKey(), member.getValue().asText());
            });
        });
        return texts;
    }

    /** Fails if the input has a key that was never read, so call it last. */
    public void refuseUnknown() {
        members.fieldNames().forEachRemaining(key -> {
            if (!known.contains(key)) {
                throw new JobException(
                        "InputError",
                        "The input of " + handler + " has the unknown key \"" + key + "\" (expected: "
                                + String.join(", ", new TreeSet<>(known)) + ").",
                        false);
            }
        });
    }

    /** Returns the exception for the invalid value of a key. */
    public JobException invalid(String key, String expected) {
        JsonNode value = members.get(key);
        String shown = value == null ? "missing" : value.toString();
        return new JobException(
                "InputError",
                "The input of " + handler + " cannot be used: " + key + ": "
                        + (shown.length() > SHOWN_CHARS_MAX ? shown.substring(0, SHOWN_CHARS_MAX) + "…" : shown)
                        + " (expected: " + expected + ").",
                false);
    }

    private static Duration ofSeconds(BigDecimal seconds) {
        return seconds.abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0
                ? Duration.ZERO
                : Duration.ofMillis(seconds.movePointRight(3).longValue());
    }

    private static String words(Duration duration) {
        return duration.toMinutes() > 0 ? duration.toMinutes() + " min" : duration.toSeconds() + " s";
    }
}
