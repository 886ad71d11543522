package dev.millrace.cli.local;

import dev.millrace.metrics.Buckets;
import dev.millrace.metrics.DurationHistogram;
import dev.millrace.metrics.LabelBound;
import dev.millrace.metrics.Metrics;
import dev.millrace.worker.ProcessObserver;
import io.prometheus.metrics.core.metrics.Counter;
import java.time.Duration;

/** Metrics of a worker: what becomes of its processes. Thread-safe. */
final class WorkerMetrics implements ProcessObserver {
    /** Largest number of languages that metrics tell apart; all further ones are counted together. */
    private static final int LANGUAGES_MAX = 20;

    private final LabelBound languages = new LabelBound(LANGUAGES_MAX);
    private final DurationHistogram starts;
    private final Counter evictions;
    private final Counter ends;

    WorkerMetrics(Metrics metrics) {
        starts = metrics.durations(
                "millrace_worker_process_start_seconds",
                "Time to start a process and load its script (cold start), with what had to be fetched, installed or"
                        + " compiled",
                Buckets.JOBS,
                "language");
        evictions = metrics.counter(
                "millrace_worker_processes_evicted_total",
                "Idle processes that were ended because another script needed their place",
                "language");
        ends = metrics.counter("millrace_worker_processes_ended_total", "Processes that have ended", "language");
    }

    @Override
    public void ready(String language, Duration startTime) {
        starts.observe(startTime.toNanos(), "", languages.of(language));
    }

    @Override
    public void evicted(String language) {
        evictions.labelValues(languages.of(language)).inc();
    }

    @Override
    public void ended(String language) {
        ends.labelValues(languages.of(language)).inc();
    }
}
