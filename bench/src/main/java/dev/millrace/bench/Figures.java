package dev.millrace.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Named figures of one workload, in the order they were added; the names are stable and carry their unit at the end. */
final class Figures {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Map<String, Object> values = new LinkedHashMap<>();

    Figures(String workload) {
        values.put("workload", workload);
    }

    Figures add(String name, double value) {
        values.put(name, Math.round(value * 1000) / 1000.0);
        return this;
    }

    Figures add(String name, long value) {
        values.put(name, value);
        return this;
    }

    Figures addAll(Map<String, Double> more) {
        more.forEach(this::add);
        return this;
    }

    String toJson() {
        try {
            return MAPPER.writeValueAsString(values);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Figures are plain values.", e);
        }
    }

    String toText() {
        var text = new StringBuilder();
        values.forEach((name, value) -> text.append(
                value instanceof Double number
                        ? String.format(Locale.ROOT, "%-44s %,14.3f%n", name, number)
                        : String.format(Locale.ROOT, "%-44s %14s%n", name, value)));
        return text.toString();
    }
}
