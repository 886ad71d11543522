package dev.millrace.scheduler.postgres;

import dev.millrace.metrics.LabelBound;
import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.trigger.TriggerId;
import dev.millrace.scheduler.trigger.TriggerKey;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what triggers read from PostgreSQL. Thread-safe. */
final class PostgresCounts {
    /** Largest number of triggers that metrics tell apart; all further ones are counted together. */
    private static final int TRIGGERS_MAX = 50;

    private static final String TRIGGER = "trigger";

    private final LabelBound bound = new LabelBound(TRIGGERS_MAX);
    private final Counter rows;
    private final Counter refused;
    private final Counter notifications;
    private final Map<TriggerId, Lag> lags = new ConcurrentHashMap<>();

    private record Lag(String label, long rows) {}

    PostgresCounts(Metrics metrics) {
        this.rows = metrics.counter(
                "millrace_postgres_trigger_rows_total",
                "Rows that triggers have accepted, those refused included",
                TRIGGER);
        this.refused = metrics.counter(
                "millrace_postgres_trigger_refused_rows_total", "Rows that were too large for an input", TRIGGER);
        this.notifications = metrics.counter(
                "millrace_postgres_trigger_notifications_total",
                "Notifications that triggers without a table have accepted",
                TRIGGER);
        metrics.gauges(
                "millrace_postgres_trigger_lag_rows",
                "Rows that triggers of this scheduler have not accepted, at most 10000 of each; the sum over all schedulers counts",
                List.of(TRIGGER),
                points -> {
                    Map<String, Long> sums = new TreeMap<>();
                    lags.values().forEach(lag -> sums.merge(lag.label(), lag.rows(), Long::sum));
                    sums.forEach((label, sum) -> points.add(sum, label));
                });
    }

    OfTrigger of(TriggerId id, TriggerKey key) {
        return new OfTrigger(id, bound.of(key.workspace() + "/" + key.path()));
    }

    /** Counts for one trigger. */
    final class OfTrigger {
        private final TriggerId id;
        private final String label;

        private OfTrigger(TriggerId id, String label) {
            this.id = id;
            this.label = label;
        }

        void countRows(int accepted, int tooLarge) {
            rows.labelValues(label).inc(accepted);
            refused.labelValues(label).inc(tooLarge);
        }

        void countNotifications(int accepted) {
            notifications.labelValues(label).inc(accepted);
        }

        void lag(long rows) {
            lags.put(id, new Lag(label, rows));
        }

        void clearLag() {
            lags.remove(id);
        }
    }
}
