package dev.millrace.metrics;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.resource.v1.Resource;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.Map;
import java.util.Optional;

/** Writes metrics as OTLP. Names stay those of the page; kinds that OTLP does not have are left out. */
final class OtlpRequest {
    private static final String SCOPE = "millrace";
    private static final Map<Unit, String> UNITS = Map.of(Unit.SECONDS, "s", Unit.BYTES, "By");

    private final long startNanos;
    private final long nowNanos;

    /**
     * @param startNanos begin of the counts, in nanoseconds since 1970
     * @param nowNanos the present
     */
    OtlpRequest(long startNanos, long nowNanos) {
        this.startNanos = startNanos;
        this.nowNanos = nowNanos;
    }

    /** @param resource attributes of the process */
    ExportMetricsServiceRequest of(MetricSnapshots snapshots, Map<String, String> resource) {
        ScopeMetrics.Builder scope = ScopeMetrics.newBuilder()
                .setScope(InstrumentationScope.newBuilder().setName(SCOPE));
        snapshots.stream().forEach(snapshot -> metric(snapshot).ifPresent(scope::addMetrics));
        Resource.Builder process = Resource.newBuilder();
        resource.forEach((key, value) -> process.addAttributes(attribute(key, value)));
        return ExportMetricsServiceRequest.newBuilder()
                .addResourceMetrics(
                        ResourceMetrics.newBuilder().setResource(process).addScopeMetrics(scope))
                .build();
    }

    private Optional<Metric> metric(MetricSnapshot snapshot) {
        Metric.Builder metric =
                Metric.newBuilder().setName(snapshot.getMetadata().getPrometheusName());
        Optional.ofNullable(snapshot.getMetadata().getHelp()).ifPresent(metric::setDescription);
        Optional.ofNullable(snapshot.getMetadata().getUnit())
                .ifPresent(unit -> metric.setUnit(UNITS.getOrDefault(unit, unit.toString())));
        return switch (snapshot) {
            case CounterSnapshot counter ->
                Optional.of(metric.setSum(sum(counter)).build());
            case GaugeSnapshot gauge ->
                Optional.of(metric.setGauge(gauge(gauge)).build());
            case HistogramSnapshot histogram ->
                Optional.of(metric.setHistogram(histogram(histogram)).build());
            default -> Optional.empty();
        };
    }

    private Sum sum(CounterSnapshot counter) {
        Sum.Builder sum = Sum.newBuilder()
                .setIsMonotonic(true)
                .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
        counter.getDataPoints().forEach(point -> sum.addDataPoints(number(point.getLabels(), point.getValue())));
        return sum.build();
    }

    private Gauge gauge(GaugeSnapshot gauge) {
        Gauge.Builder values = Gauge.newBuilder();
        gauge.getDataPoints().forEach(point -> values.addDataPoints(number(point.getLabels(), point.getValue())));
        return values.build();
    }

    private NumberDataPoint number(Labels labels, double value) {
        NumberDataPoint.Builder point = NumberDataPoint.newBuilder()
                .setStartTimeUnixNano(startNanos)
                .setTimeUnixNano(nowNanos)
                .setAsDouble(value);
        for (Label label : labels) {
            point.addAttributes(attribute(label.getName(), label.getValue()));
        }
        return point.build();
    }

    private Histogram histogram(HistogramSnapshot histogram) {
        Histogram.Builder points = Histogram.newBuilder()
                .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
        for (HistogramSnapshot.HistogramDataPointSnapshot point : histogram.getDataPoints()) {
            if (point.hasClassicHistogramData()) {
                points.addDataPoints(classic(point));
            }
        }
        return points.build();
    }

    private HistogramDataPoint classic(HistogramSnapshot.HistogramDataPointSnapshot point) {
        HistogramDataPoint.Builder data = HistogramDataPoint.newBuilder()
                .setStartTimeUnixNano(startNanos)
                .setTimeUnixNano(nowNanos)
                .setSum(point.getSum());
        for (Label label : point.getLabels()) {
            data.addAttributes(attribute(label.getName(), label.getValue()));
        }
        ClassicHistogramBuckets buckets = point.getClassicBuckets();
        long count = 0;
        for (int i = 0; i < buckets.size(); i++) {
            count += buckets.getCount(i);
            data.addBucketCounts(buckets.getCount(i));
            if (Double.isFinite(buckets.getUpperBound(i))) {
                data.addExplicitBounds(buckets.getUpperBound(i));
            }
        }
        return data.setCount(count).build();
    }

    private static KeyValue attribute(String key, String value) {
        return KeyValue.newBuilder()
                .setKey(key)
                .setValue(AnyValue.newBuilder().setStringValue(value))
                .build();
    }
}
