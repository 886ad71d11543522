package dev.millrace.test;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.millrace.scheduler.queue.core.Json;
import org.jspecify.annotations.Nullable;

/** Converts between values of tests and JSON. Dates are texts, as in scripts. */
final class TestJson {
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .findAndRegisterModules()
            .disable(
                    SerializationFeature.WRITE_DATES_AS_TIMESTAMPS, SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);

    private TestJson() {}

    static Json write(@Nullable Object value, String what) {
        try {
            return new Json(MAPPER.writeValueAsString(value));
        } catch (JsonProcessingException unfit) {
            throw new IllegalArgumentException(
                    "The " + what + " cannot be written as JSON: " + unfit.getOriginalMessage(), unfit);
        }
    }

    static JsonNode read(Json json) {
        try {
            return MAPPER.readTree(json.text());
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("The flow has made a value that is no JSON.", impossible);
        }
    }

    static <T> @Nullable T read(Json json, Class<T> type) {
        try {
            return MAPPER.readValue(json.text(), type);
        } catch (JsonProcessingException unfit) {
            throw new AssertionError(
                    "The output " + json.text() + " does not fit " + type.getName() + ": " + unfit.getOriginalMessage(),
                    unfit);
        }
    }
}
