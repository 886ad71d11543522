package dev.millrace.scheduler.telemetry;

import dev.millrace.metrics.Buckets;
import dev.millrace.metrics.DurationHistogram;
import dev.millrace.metrics.LabelBound;
import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.lane.LaneObserver;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.run.search.KindOfRun;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Counts and times what lanes commit: batches, jobs and runs. The times of waits are differences between the clocks of
 * schedulers, so they are for people only. Thread-safe.
 */
final class LaneMetrics implements LaneObserver {
    /** Largest number of flows, scripts and handlers that metrics tell apart; all further ones are counted together. */
    static final int PATHS_MAX = 100;

    /** Kind of the runs that deployments start, so that they can be told from work. */
    private static final String PREPARATION = "preparation";

    private static final int MILLIS_SHIFT = 16;

    private final InstantSource clock;
    private final TagLabel tags;
    private final LabelBound paths = new LabelBound(PATHS_MAX);
    private final Map<String, OfTag> byTag = new ConcurrentHashMap<>();

    private final DurationHistogram plans;
    private final DurationHistogram commits;
    private final Histogram batches;
    private final CounterDataPoint rejections;
    private final CounterDataPoint losses;
    private final Counter enqueued;
    private final Counter requeued;
    private final Counter ended;
    private final DurationHistogram waits;
    private final DurationHistogram attempts;
    private final Counter runsAccepted;
    private final Counter runsEnded;
    private final DurationHistogram runs;

    LaneMetrics(Metrics metrics, TagLabel tags, InstantSource clock) {
        this.clock = clock;
        this.tags = tags;
        plans = metrics.durations(
                "millrace_lane_plan_duration_seconds",
                "Time that a lane takes to plan a batch, with what it reads for it",
                Buckets.CALLS);
        commits = metrics.durations(
                "millrace_lane_commit_duration_seconds",
                "Time of the round trip to Postgres that commits a batch",
                Buckets.CALLS);
        batches = metrics.histogram("millrace_lane_batch_size", "Commands in a committed batch", Buckets.BATCHES);
        rejections = metrics.counter(
                        "millrace_lane_batches_rejected_total",
                        "Batches that Postgres rejected because something differed from memory; their commands are"
                                + " repeated one by one")
                .labelValues();
        losses = metrics.counter("millrace_lane_database_losses_total", "Times that a lane lost its connection")
                .labelValues();
        enqueued =
                metrics.counter("millrace_jobs_enqueued_total", "Jobs for workers that have entered the queue", "tag");
        requeued = metrics.counter(
                "millrace_jobs_requeued_total",
                "Attempts after which a job returned to the queue: failures that are retried, jobs that workers gave"
                        + " back, and lost workers",
                "tag");
        ended = metrics.counter("millrace_jobs_ended_total", "Jobs of workers that have ended", "tag", "outcome");
        waits = metrics.durations(
                "millrace_job_wait_seconds",
                "Time from the creation of a job to its first lease, a delay that was asked for included",
                Buckets.JOBS,
                "tag");
        attempts = metrics.durations(
                "millrace_job_run_seconds",
                "Time that the last attempt of a job took on its worker",
                Buckets.JOBS,
                "tag",
                "outcome");
        runsAccepted = metrics.counter(
                "millrace_runs_accepted_total", "Runs that have been accepted and not answered at once", "kind");
        runsEnded = metrics.counter(
                "millrace_runs_ended_total",
                "Runs that have ended, by the path of their flow or script or the name of their handler",
                "kind",
                "workspace",
                "path",
                "outcome");
        runs = metrics.durations(
                "millrace_run_duration_seconds",
                "Time from the acceptance of a run to its end",
                Buckets.JOBS,
                "kind",
                "workspace",
                "path");
    }

    @Override
    public void committed(int commands, long planNanos, long commitNanos) {
        batches.observe(commands);
        plans.observe(planNanos, "");
        commits.observe(commitNanos, "");
    }

    @Override
    public void rejected() {
        rejections.inc();
    }

    @Override
    public void databaseLost() {
        losses.inc();
    }

    @Override
    public void enqueued(QueuedJob job) {
        if (job.isRoot()) {
            runsAccepted.labelValues(kind(job)).inc();
        }
        if (isForWorkers(job)) {
            of(job).enqueued.inc();
        }
    }

    @Override
    public void leased(QueuedJob job, boolean hasWaited) {
        if (job.attempt() == 1) {
            of(job).waits.observe(hasWaited ? nanosSince(job.id()) : 0, job.traceparent());
        }
    }

    @Override
    public void requeued(QueuedJob job) {
        of(job).requeued.inc();
    }

    @Override
    public void jobEnded(QueuedJob job, Outcome outcome, long runMicros) {
        Ends ends = of(job).of(outcome);
        ends.count.inc();
        if (runMicros >= 0) {
            ends.attempts.observe(TimeUnit.MICROSECONDS.toNanos(runMicros), job.traceparent());
        }
    }

    @Override
    public void runEnded(RunId run, Optional<QueuedJob> root, Outcome outcome) {
        String kind = root.map(LaneMetrics::kind).orElse(LabelBound.OTHER);
        String workspace = root.map(job -> job.workspace().name()).orElse(LabelBound.OTHER);
        String path = root.map(QueuedJob::name).orElse(LabelBound.OTHER);
        if (paths.of(workspace + "\n" + kind + "\n" + path).equals(LabelBound.OTHER)) {
            workspace = LabelBound.OTHER;
            path = LabelBound.OTHER;
        }
        runsEnded.labelValues(kind, workspace, path, text(outcome)).inc();
        runs.observe(nanosSince(run.rootJob()), root.map(QueuedJob::traceparent).orElse(""), kind, workspace, path);
    }

    private OfTag of(QueuedJob job) {
        // A plain lookup first: computeIfAbsent may lock.
        String tag = job.options().tag();
        OfTag known = byTag.get(tag);
        if (known != null) {
            return known;
        }
        String label = tags.of(tag);
        return label.equals(tag) ? byTag.computeIfAbsent(tag, OfTag::new) : byTag.computeIfAbsent(label, OfTag::new);
    }

    private long nanosSince(JobId job) {
        long createdMillis = job.value().getMostSignificantBits() >>> MILLIS_SHIFT;
        return TimeUnit.MILLISECONDS.toNanos(Math.max(0, clock.millis() - createdMillis));
    }

    private static boolean isForWorkers(QueuedJob job) {
        return job.kind() == JobKind.SCRIPT || job.kind() == JobKind.HANDLER;
    }

    private static String kind(QueuedJob job) {
        return KindOfRun.isPreparation(job.kind(), job.name())
                ? PREPARATION
                : job.kind().name().toLowerCase(Locale.ROOT);
    }

    private static String text(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded _ -> "succeeded";
            case Outcome.Failed _ -> "failed";
            case Outcome.Canceled _ -> "canceled";
            case Outcome.Skipped _ -> "skipped";
        };
    }

    /** What is counted of jobs with one tag, so that a job costs one look-up. */
    private final class OfTag {
        private final CounterDataPoint enqueued;
        private final CounterDataPoint requeued;
        private final DurationHistogram.Series waits;
        private final Ends succeeded;
        private final Ends failed;
        private final Ends canceled;
        private final Ends skipped;

        OfTag(String tag) {
            enqueued = LaneMetrics.this.enqueued.labelValues(tag);
            requeued = LaneMetrics.this.requeued.labelValues(tag);
            waits = LaneMetrics.this.waits.series(tag);
            succeeded = ends(tag, "succeeded");
            failed = ends(tag, "failed");
            canceled = ends(tag, "canceled");
            skipped = ends(tag, "skipped");
        }

        private Ends ends(String tag, String outcome) {
            return new Ends(ended.labelValues(tag, outcome), attempts.series(tag, outcome));
        }

        Ends of(Outcome outcome) {
            return switch (outcome) {
                case Outcome.Succeeded _ -> succeeded;
                case Outcome.Failed _ -> failed;
                case Outcome.Canceled _ -> canceled;
                case Outcome.Skipped _ -> skipped;
            };
        }
    }

    private record Ends(CounterDataPoint count, DurationHistogram.Series attempts) {}
}
