package dev.millrace.scheduler.trigger;

import dev.millrace.metrics.Buckets;
import dev.millrace.metrics.DurationHistogram;
import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.runtime.WallClock;
import io.prometheus.metrics.core.metrics.Counter;
import java.time.Duration;
import java.util.Locale;

/** Counts what triggers start. Thread-safe. */
final class TriggerMetrics {
    private final Counter starts;
    private final DurationHistogram delays;

    TriggerMetrics(Metrics metrics) {
        starts = metrics.counter(
                "millrace_trigger_starts_total",
                "Occurrences by what has become of them; those that are deferred are tried again and count each time",
                "kind",
                "outcome");
        delays = metrics.durations(
                "millrace_trigger_start_delay_seconds",
                "Time from the note of an occurrence until its run is accepted",
                Buckets.JOBS,
                "kind");
    }

    /** Counts an occurrence that was noted and starts nothing. */
    void count(Trigger trigger, StartState state) {
        starts.labelValues(trigger.key().kind().text(), state.name().toLowerCase(Locale.ROOT))
                .inc();
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
