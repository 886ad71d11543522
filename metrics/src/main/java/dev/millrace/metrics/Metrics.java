package dev.millrace.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;

/**
 * The metrics of a process. Services that share a process share this object, and then one page shows all of them.
 *
 * <p>A feature defines its metrics once, when it starts, under names that begin with {@code millrace_} and end with
 * their unit. Counters are for what happens; gauges are read when somebody looks. Thread-safe.
 */
public final class Metrics {
    private static final OpenMetricsTextFormatWriter OPEN_METRICS = OpenMetricsTextFormatWriter.builder()
            .setCreatedTimestampsEnabled(false)
            .build();
    private static final PrometheusTextFormatWriter PLAIN = PrometheusTextFormatWriter.builder()
            .setIncludeCreatedTimestamps(false)
            .build();
    private static final Map<String, Unit> UNITS = Map.of("_seconds", Unit.SECONDS, "_bytes", Unit.BYTES);

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final List<MetricDefinition> definitions = new CopyOnWriteArrayList<>();

    /** A page of metrics in one of the formats that Prometheus reads. */
    public record Page(String contentType, String text) {}

    /** Metrics of a process, those of its JVM included. */
    public static Metrics ofProcess() {
        Metrics metrics = new Metrics();
        JvmMetrics.builder().register(metrics.registry);
        return metrics;
    }

    /** Defines a counter. Its name ends with {@code _total}. */
    public Counter counter(String name, String help, String... labels) {
        define(name, MetricDefinition.Type.COUNTER, help, labels);
        return Counter.builder().name(name).help(help).labelNames(labels).register(registry);
    }

    /** Defines a counter that something else counts. Its name ends with {@code _total}. */
    public void counters(String name, String help, List<String> labels, Points.Source values) {
        String[] names = labels.toArray(String[]::new);
        define(name, MetricDefinition.Type.COUNTER, help, names);
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(names)
                .callback(callback -> values.collect(callback::call))
                .register(registry);
    }

    /** Defines a value that is read when somebody looks. */
    public void gauge(String name, String help, DoubleSupplier value) {
        gauges(name, help, List.of(), points -> points.add(value.getAsDouble()));
    }

    /** Defines values that are read when somebody looks. */
    public void gauges(String name, String help, List<String> labels, Points.Source values) {
        String[] names = labels.toArray(String[]::new);
        define(name, MetricDefinition.Type.GAUGE, help, names);
        GaugeWithCallback.Builder gauge = GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(names)
                .callback(callback -> values.collect(callback::call));
        UNITS.forEach((end, unit) -> {
            if (name.endsWith(end)) {
                gauge.unit(unit);
            }
        });
        gauge.register(registry);
    }

    /** Defines a histogram of durations. Its name ends with {@code _seconds}. */
    public DurationHistogram durations(String name, String help, Buckets buckets, String... labels) {
        return new DurationHistogram(
                builder(name, help, buckets, labels).unit(Unit.SECONDS).register(registry));
    }

    /** Defines a histogram of numbers. */
    public Histogram histogram(String name, String help, Buckets buckets, String... labels) {
        return builder(name, help, buckets, labels).register(registry);
    }

    private Histogram.Builder builder(String name, String help, Buckets buckets, String... labels) {
        define(name, MetricDefinition.Type.HISTOGRAM, help, labels);
        return Histogram.builder()
                .name(name)
                .help(help)
                .labelNames(labels)
                .classicOnly()
                .classicUpperBounds(buckets.bounds());
    }

    private void define(String name, MetricDefinition.Type type, String help, String... labels) {
        definitions.add(new MetricDefinition(name, type, help, List.of(labels)));
    }

    /** What was defined, in the order of the definitions, whether it has values or not. */
    public List<MetricDefinition> definitions() {
        return List.copyOf(definitions);
    }

    /** The present values. */
    public MetricSnapshots snapshots() {
        return registry.scrape();
    }

    /**
     * The page that shows the present values.
     *
     * @param accept the {@code Accept} header of the request, which decides about the format; empty for none
     */
    public Page page(String accept) {
        ExpositionFormatWriter writer = OPEN_METRICS.accepts(accept) ? OPEN_METRICS : PLAIN;
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try {
            writer.write(content, registry.scrape());
        } catch (IOException impossible) {
            throw new UncheckedIOException("Memory cannot be written to.", impossible);
        }
        return new Page(writer.getContentType(), content.toString(StandardCharsets.UTF_8));
    }
}
