package dev.millrace.scheduler.trace;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.telemetry.Traceparent;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exports the traces of runs that have ended, on a thread of its own. Lanes only name the runs. If more traced runs end
 * than can be read, the traces of some are lost; the runs are not slowed.
 */
public final class TraceExporter implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TraceExporter.class);
    /** Largest number of ended runs that wait for their export. */
    private static final int WAITING_MAX = 10_000;

    private static final Duration REPORT_INTERVAL = Duration.ofMinutes(1);

    private record Ended(RunId run, Traceparent context) {}

    private final BlockingQueue<Ended> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final AtomicLong lost = new AtomicLong();
    private final Tracing tracing;
    private final RunTraces traces;
    private final Loop loop;

    private TraceExporter(Tracing tracing, RunTraces traces) {
        this.tracing = tracing;
        this.traces = traces;
        this.loop = Loop.of("trace-export", this::exportAll);
    }

    public static TraceExporter start(Tracing tracing, RunTraces traces) {
        TraceExporter exporter = new TraceExporter(tracing, traces);
        if (tracing.exports()) {
            exporter.loop.start();
        }
        return exporter;
    }

    /** Notes that a run has ended, unless spans stay here. Never waits. */
    void ended(RunId run, String traceparent) {
        if (!tracing.exports()) {
            return;
        }
        Traceparent.parse(traceparent).ifPresent(context -> {
            if (!waiting.offer(new Ended(run, context))) {
                lost.incrementAndGet();
            }
        });
    }

    /** Wakes the export, after runs were noted. */
    void wake() {
        loop.wake();
    }

    private Duration exportAll() {
        for (Ended next = waiting.poll(); next != null; next = waiting.poll()) {
            try {
                traces.export(next.run(), next.context());
            } catch (MillraceException away) {
                // The database is away, or the run was deleted meanwhile: only this trace is lost.
                lost.incrementAndGet();
            }
        }
        long left = lost.getAndSet(0);
        if (left > 0) {
            log.atWarn().addKeyValue("runs", left).log("Traces of runs could not be exported");
        }
        return REPORT_INTERVAL;
    }

    /** Exports what waits, then stops. */
    @Override
    public void close() {
        if (tracing.exports()) {
            loop.close();
            exportAll();
        }
    }
}
