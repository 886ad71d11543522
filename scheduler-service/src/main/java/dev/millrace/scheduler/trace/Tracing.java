package dev.millrace.scheduler.trace;

import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.CallTraces;
import dev.millrace.scheduler.trace.core.SpanIds;
import dev.millrace.scheduler.trace.core.TracedSteps;
import dev.millrace.telemetry.FinishedSpan;
import dev.millrace.telemetry.Telemetry;
import dev.millrace.telemetry.Traceparent;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.util.List;
import java.util.Optional;

/**
 * Decides which runs are traced, and takes their spans: for export, for those who look at runs, or both. Thread-safe;
 * nothing here waits.
 */
public final class Tracing implements AutoCloseable {
    private static final String SERVICE = "millrace-scheduler";

    private final Telemetry telemetry;
    private final Optional<KeptSpans> kept;
    private final WorkerResources workers;
    private final TraceStarts starts = new TraceStarts(System::nanoTime);

    private Tracing(Telemetry telemetry, Optional<KeptSpans> kept) {
        this.telemetry = telemetry;
        this.kept = kept;
        this.workers = new WorkerResources(telemetry.resource());
    }

    /** Traces nothing. */
    public static Tracing off() {
        return new Tracing(Telemetry.off(), Optional.empty());
    }

    /** Traces what the {@code OTEL_*} variables ask for. */
    public static Tracing start() {
        return with(Telemetry.start(SERVICE));
    }

    /**
     * Traces what the {@code OTEL_*} variables ask for. Besides, keeps the last spans of workers and scripts in memory, of
     * at most some runs a second.
     */
    public static Tracing keeping() {
        return new Tracing(Telemetry.start(SERVICE), Optional.of(new KeptSpans()));
    }

    static Tracing with(Telemetry telemetry) {
        return new Tracing(telemetry, Optional.empty());
    }

    /** OpenTelemetry of this scheduler. */
    public Telemetry telemetry() {
        return telemetry;
    }

    /** Whether anybody takes spans. */
    public boolean isOn() {
        return telemetry.isOn() || kept.isPresent();
    }

    /** Whether the spans of runs leave this scheduler. */
    boolean exports() {
        return telemetry.isOn();
    }

    /**
     * The trace context of a run that is submitted by the call in progress.
     *
     * @param asked the trace context that the caller gives for the run, with its state; empty for none
     * @return empty if the run is not to be traced
     */
    public String begin(String asked) {
        if (!isOn()) {
            return asked;
        }
        Optional<Traceparent> call = CallTraces.current();
        if (!asked.isEmpty()) {
            return call.filter(span -> asked.contains(span.traceId()))
                    .map(span -> span.withState(Traceparent.stateOf(asked)).text())
                    .orElse(asked);
        }
        if (call.isPresent()) {
            return call.filter(Traceparent::isSampled).map(Traceparent::text).orElseGet(this::keepSome);
        }
        return telemetry.isOn() ? sampled() : keepSome();
    }

    /** Lets the sampler decide on a run that nobody else has decided on. */
    private String sampled() {
        Span span = telemetry.tracer().spanBuilder("submit").setNoParent().startSpan();
        span.end();
        SpanContext context = span.getSpanContext();
        return context.isSampled() ? Traceparent.of(context).text() : keepSome();
    }

    private String keepSome() {
        return kept.isPresent() ? starts.next().map(Traceparent::text).orElse("") : "";
    }

    /** The trace context for whoever runs the job, with its state: its parent is the present attempt. */
    public String contextOf(QueuedJob job) {
        String given = job.traceparent();
        if (!isOn() || !Traceparent.isSampled(given)) {
            return given;
        }
        return Traceparent.parse(given)
                .map(run -> run.withParent(SpanIds.ofAttempt(job.id(), job.attempt())))
                .map(attempt -> TracedSteps.isDetailed(job.stepKey()) ? attempt : attempt.unsampled())
                .map(Traceparent::text)
                .orElse(given);
    }

    /** Whether the spans of the job's worker and script are wanted. */
    public boolean takesSpans(QueuedJob job) {
        return isOn() && isTraced(job) && TracedSteps.isDetailed(job.stepKey());
    }

    static boolean isTraced(QueuedJob job) {
        return Traceparent.isSampled(job.traceparent());
    }

    /** Takes the spans that a worker reports for a job that it holds. Ignores them if nobody asked for them. */
    public void reported(LeasedJob lease, List<TraceSpan> spans) {
        QueuedJob job = lease.job();
        if (takesSpans(job)) {
            Traceparent.parse(job.traceparent()).ifPresent(trace -> take(job.run(), trace, spans));
        }
    }

    /** Takes spans of a run that is not known to the history. */
    void take(RunId run, Traceparent trace, List<TraceSpan> spans) {
        kept.ifPresent(memory -> memory.add(run, spans));
        export(trace, spans);
    }

    /** Exports the spans that have ended. */
    void export(Traceparent trace, List<TraceSpan> spans) {
        if (!telemetry.isOn()) {
            return;
        }
        for (TraceSpan span : spans) {
            span.end()
                    .ifPresent(end -> telemetry.export(new FinishedSpan(
                            trace.traceId(),
                            trace.state(),
                            span.id(),
                            span.parent(),
                            span.name(),
                            span.kind(),
                            RunSpans.nanos(span.start()),
                            RunSpans.nanos(end),
                            span.attributes(),
                            span.status(),
                            span.events(),
                            span.scope().isEmpty() ? Telemetry.SCOPE : span.scope(),
                            span.worker().isEmpty() ? telemetry.resource() : workers.of(span.worker()))));
        }
    }

    /** The spans that workers and scripts have added to a run, as far as they are kept. */
    List<TraceSpan> kept(RunId run) {
        return kept.map(memory -> memory.of(run)).orElse(List.of());
    }

    @Override
    public void close() {
        telemetry.close();
    }
}
