package dev.millrace.metrics;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What is known of a metric before it has values.
 *
 * @param name as Prometheus shows it; the name of a counter ends with {@code _total}
 * @param help one sentence for people, without a period at the end
 * @param labels names of its labels, in their order
 */
public record MetricDefinition(String name, Type type, String help, List<String> labels) {
    /** Kinds of metrics. */
    public enum Type {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    public MetricDefinition {
        requireNonNull(name, "name");
        requireNonNull(type, "type");
        requireNonNull(help, "help");
        labels = List.copyOf(labels);
    }
}
