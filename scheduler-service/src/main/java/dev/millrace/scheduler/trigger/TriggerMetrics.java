package dev.millrace.scheduler.trigger;

import dev.millrace.metrics.Buckets;
import dev.millrace.metrics.DurationHistogram;
import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.runtime.WallClock;
import io.prometheus.metrics.core.metrics.Counter;
import java.time.Duration;

/** Counts what triggers start. Thread-safe. */
final class TriggerMetrics {
    private final Counter starts;
    private final DurationHistogram delays;

    TriggerMetrics(Metrics metrics) {
        starts = metrics.counter(
                "millrace_trigger_starts_total",
                "Attempts to start the run of an occurrence; those that are deferred are repeated",
                "kind",
                "outcome");
        delays = metrics.durations(
                "millrace_trigger_start_delay_seconds",
                "Time from the note of an occurrence until its run is accepted",
                Buckets.JOBS,
                "kind");
    }

    /** Counts the outcome of an attempt. */
    void count(Trigger trigger, ClaimedStart start, StartOutcome outcome) {
        String kind = trigger.key().kind().text();
        switch (outcome) {
            case StartOutcome.Started _ -> {
                starts.labelValues(kind, "started").inc();
                Duration delay = Duration.between(start.notedAt(), WallClock.now());
                delays.observe(Math.max(0, delay.toNanos()), "", kind);
            }
            case StartOutcome.Refused _ -> starts.labelValues(kind, "refused").inc();
            case StartOutcome.Pending _ -> starts.labelValues(kind, "deferred").inc();
        }
    }
}
