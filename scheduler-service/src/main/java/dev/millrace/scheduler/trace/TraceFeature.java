package dev.millrace.scheduler.trace;

import dev.millrace.scheduler.lane.Effects;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.lane.LiveFlow;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.AttemptDecision.Loss;
import dev.millrace.scheduler.queue.core.AttemptDecision.Requeue;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.trace.core.SpanIds;
import dev.millrace.scheduler.trace.core.TracedSteps;
import dev.millrace.telemetry.Traceparent;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Names the traced runs that end in a flush, and the attempts that end without ending their jobs, of which the history
 * tells nothing. Runs that are not traced cost one look at a text.
 */
public final class TraceFeature implements LaneFeature {
    private final TraceExporter exporter;
    private final StartedJobs started;
    private final Supplier<Instant> clock;
    private final List<QueuedJob> endedRoots = new ArrayList<>();
    private final List<EndedAttempt> attempts = new ArrayList<>();

    private record EndedAttempt(QueuedJob job, TraceSpan span) {}

    private TraceFeature(FlushPlan plan, TraceExporter exporter, Supplier<Instant> clock) {
        this.exporter = exporter;
        this.started = plan.context().started();
        this.clock = clock;
    }

    /**
     * Makes the part of each flush.
     *
     * @param clock measures the ends of attempts; nothing is decided by it
     */
    public static LaneFeature.Maker maker(TraceExporter exporter, Supplier<Instant> clock) {
        return plan -> new TraceFeature(plan, exporter, clock);
    }

    @Override
    public void jobEnds(LeasedJob lease, AttemptResult result, String workerName) {
        if (lease.job().isRoot() && Tracing.isTraced(lease.job())) {
            endedRoots.add(lease.job());
        }
    }

    @Override
    public void runEnds(LiveFlow flow, Outcome outcome, boolean leavesJobs) {
        if (Tracing.isTraced(flow.root())) {
            endedRoots.add(flow.root());
        }
    }

    @Override
    public void requeued(QueuedJob job, Requeue requeue, long runMicros) {
        if (requeue.newAttempt() && Tracing.isTraced(job) && TracedSteps.isDetailed(job.stepKey())) {
            attempts.add(new EndedAttempt(job, attempt(job, requeue, runMicros)));
        }
    }

    private TraceSpan attempt(QueuedJob job, Requeue requeue, long runMicros) {
        Instant end = clock.get();
        Instant begin = runMicros >= 0
                ? end.minus(runMicros, ChronoUnit.MICROS)
                : started.startOf(job.id()).filter(start -> start.isBefore(end)).orElse(end);
        String error = requeue.loss() == Loss.NONE ? "AttemptFailed" : "WorkerLost";
        return RunSpans.withError(
                TraceSpan.of(
                        SpanIds.ofAttempt(job.id(), job.attempt()),
                        job.isRoot() ? SpanIds.ofRun(job.run()) : SpanIds.ofJob(job.id()),
                        "attempt " + job.attempt(),
                        SpanKind.CLIENT,
                        begin,
                        Optional.of(end),
                        Attributes.of(TraceKeys.JOB_ID, job.id().toString(), TraceKeys.ATTEMPT, (long) job.attempt())),
                Optional.of(JobError.permanent(error, requeue.note())),
                false);
    }

    @Override
    public void written(Effects effects) {
        for (EndedAttempt attempt : attempts) {
            Traceparent.parse(attempt.job.traceparent())
                    .ifPresent(trace -> exporter.tracing().take(attempt.job.run(), trace, List.of(attempt.span)));
        }
        for (QueuedJob root : endedRoots) {
            exporter.ended(root.run(), root.traceparent());
        }
        if (!endedRoots.isEmpty()) {
            exporter.wake();
        }
    }
}
