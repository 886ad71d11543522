package dev.millrace.bench.measure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** Named figures of one workload, in the order of their addition. The names are stable and end with their unit. */
public final class Figures {
    private static final double ROUNDING = 1000;

    private final String workload;
    private final Map<String, Object> values = new LinkedHashMap<>();

    public Figures(String workload) {
        this.workload = workload;
    }

    public String workload() {
        return workload;
    }

    public Figures add(String name, double value) {
        values.put(name, Math.round(value * ROUNDING) / ROUNDING);
        return this;
    }

    public Figures add(String name, long value) {
        values.put(name, value);
        return this;
    }

    /** Adds a remark about the figures, such as why one is missing. */
    public Figures note(String name, String text) {
        values.put(name, text);
        return this;
    }

    public Figures addAll(Map<String, Double> more) {
        more.forEach(this::add);
        return this;
    }

    public OptionalDouble find(String name) {
        return values.get(name) instanceof Number number
                ? OptionalDouble.of(number.doubleValue())
                : OptionalDouble.empty();
    }

    public Map<String, Object> values() {
        return Collections.unmodifiableMap(values);
    }

    public String toText() {
        var text = new StringBuilder(workload + "\n");
        values.forEach((name, value) -> text.append(
                value instanceof Double number
                        ? String.format(Locale.ROOT, "  %-46s %,16.3f%n", name, number)
                        : String.format(Locale.ROOT, "  %-46s %16s%n", name, value)));
        return text.toString();
    }
}
