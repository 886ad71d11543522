package dev.millrace.metrics;

import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.Labels;

/** Reads W3C trace contexts, whose ids become exemplars of histograms. */
final class TraceParent {
    private static final int LENGTH = 55;
    private static final int TRACE_START = 3;
    private static final int TRACE_END = 35;
    private static final int SPAN_START = 36;
    private static final int SPAN_END = 52;
    private static final int FLAGS = 54;

    private TraceParent() {}

    /** Whether the trace is sampled, so that a backend may have it. */
    static boolean isSampled(String traceparent) {
        return traceparent.length() >= LENGTH && (Character.digit(traceparent.charAt(FLAGS), 16) & 1) == 1;
    }

    static Labels labels(String traceparent) {
        return Labels.of(
                Exemplar.TRACE_ID,
                traceparent.substring(TRACE_START, TRACE_END),
                Exemplar.SPAN_ID,
                traceparent.substring(SPAN_START, SPAN_END));
    }
}
