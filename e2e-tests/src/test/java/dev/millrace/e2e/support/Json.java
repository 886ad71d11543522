package dev.millrace.e2e.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Writes and reads JSON for the tests. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    public static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("This is not JSON: " + text, e);
        }
    }

    /** Converts maps, lists, strings and numbers to a tree. */
    public static JsonNode of(Object value) {
        return MAPPER.valueToTree(value);
    }
}
