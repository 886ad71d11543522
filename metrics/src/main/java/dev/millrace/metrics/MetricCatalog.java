package dev.millrace.metrics;

import static java.util.stream.Collectors.joining;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Writes definitions of metrics as a table for the reference page. */
public final class MetricCatalog {
    private MetricCatalog() {}

    /** The lines of a table in Markdown, sorted by name. */
    public static String table(List<MetricDefinition> definitions) {
        return definitions.stream()
                .sorted(Comparator.comparing(MetricDefinition::name))
                .map(MetricCatalog::row)
                .collect(joining("\n", "| metric | type | labels | meaning |\n| --- | --- | --- | --- |\n", "\n"));
    }

    private static String row(MetricDefinition metric) {
        String labels = metric.labels().stream().map(label -> "`" + label + "`").collect(joining(", "));
        return "| `" + metric.name() + "` | " + metric.type().name().toLowerCase(Locale.ROOT) + " | " + labels + " | "
                + metric.help() + " |";
    }
}
