package dev.millrace.metrics;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.concurrent.TimeUnit;

/** Histogram of durations, which names the traces of some of them (exemplars). Thread-safe. */
public final class DurationHistogram {
    /** Shortest time between two exemplars of a series, because one costs more than all else here. */
    private static final long NAMING_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Histogram histogram;

    DurationHistogram(Histogram histogram) {
        this.histogram = histogram;
    }

    /**
     * Adds a duration.
     *
     * @param traceparent W3C trace context of what took this long; empty for none
     * @param labels the values of the labels, in their order
     */
    public void observe(long nanos, String traceparent, String... labels) {
        series(labels).observe(nanos, traceparent);
    }

    /** The durations with these labels, for a caller that keeps them because it adds many. */
    public Series series(String... labels) {
        return new Series(histogram.labelValues(labels));
    }

    /** Durations with the same labels. Thread-safe. */
    public static final class Series {
        private final DistributionDataPoint point;
        /** When a trace was named last. Races lose nothing but an exemplar. */
        private volatile long namedNanos = System.nanoTime() - NAMING_INTERVAL_NANOS;

        private Series(DistributionDataPoint point) {
            this.point = point;
        }

        /**
         * Adds a duration.
         *
         * @param traceparent W3C trace context of what took this long; empty for none
         */
        public void observe(long nanos, String traceparent) {
            if (TraceParent.isSampled(traceparent) && mayName()) {
                point.observeWithExemplar(nanos / NANOS_PER_SECOND, TraceParent.labels(traceparent));
            } else {
                point.observe(nanos / NANOS_PER_SECOND);
            }
        }

        private boolean mayName() {
            long now = System.nanoTime();
            if (now - namedNanos < NAMING_INTERVAL_NANOS) {
                return false;
            }
            namedNanos = now;
            return true;
        }
    }
}
