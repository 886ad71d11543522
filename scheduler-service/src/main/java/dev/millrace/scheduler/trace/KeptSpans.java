package dev.millrace.scheduler.trace;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The spans of the last runs that workers and scripts have added, within a limit of bytes. Thread-safe. */
final class KeptSpans {
    /** Estimate of all spans together, in bytes. */
    static final long BYTES_MAX = 16 << 20;
    /** Largest number of spans that are kept of one run. */
    static final int RUN_SPANS_MAX = 2_000;
    /** Estimate of a span without its texts, in bytes. */
    private static final int SPAN_BYTES = 500;

    private final Map<RunId, List<TraceSpan>> runs = new LinkedHashMap<>();
    private long bytes;

    synchronized void add(RunId run, List<TraceSpan> spans) {
        List<TraceSpan> known = runs.computeIfAbsent(run, _ -> new ArrayList<>());
        for (TraceSpan span : spans) {
            if (known.size() < RUN_SPANS_MAX) {
                known.add(span);
                bytes += weight(span);
            }
        }
        Iterator<List<TraceSpan>> oldest = runs.values().iterator();
        while (bytes > BYTES_MAX && oldest.hasNext()) {
            for (TraceSpan gone : oldest.next()) {
                bytes -= weight(gone);
            }
            oldest.remove();
        }
    }

    synchronized List<TraceSpan> of(RunId run) {
        return List.copyOf(runs.getOrDefault(run, List.of()));
    }

    private static long weight(TraceSpan span) {
        long[] sum = {SPAN_BYTES + span.name().length()};
        span.attributes()
                .forEach((key, value) -> sum[0] += 100 + value.toString().length());
        span.events()
                .forEach(event -> event.getAttributes()
                        .forEach(
                                (key, value) -> sum[0] += 100 + value.toString().length()));
        return sum[0];
    }
}
