package dev.millrace.scheduler.postgres;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.trigger.TriggerId;
import dev.millrace.scheduler.trigger.TriggerKey;
import dev.millrace.scheduler.trigger.TriggerLags;
import io.prometheus.metrics.core.metrics.Counter;

/** Counts what triggers read from PostgreSQL. Thread-safe. */
final class PostgresCounts {
    private final Counter rows;
    private final Counter refused;
    private final Counter notifications;
    private final TriggerLags lags;

    PostgresCounts(Metrics metrics) {
        this.rows = metrics.counter(
                "millrace_postgres_trigger_rows_total",
                "Rows that triggers have accepted, those refused included",
                TriggerLags.TRIGGER);
        this.refused = metrics.counter(
                "millrace_postgres_trigger_refused_rows_total",
                "Rows that were too large for an input",
                TriggerLags.TRIGGER);
        this.notifications = metrics.counter(
                "millrace_postgres_trigger_notifications_total",
                "Notifications that triggers without a table have accepted",
                TriggerLags.TRIGGER);
        this.lags = new TriggerLags(
                metrics,
                "millrace_postgres_trigger_lag_rows",
                "Rows that triggers of this scheduler have not accepted, at most 10000 of each; the sum over all schedulers counts");
    }

    OfTrigger of(TriggerId id, TriggerKey key) {
        return new OfTrigger(lags.of(id, key));
    }

    /** Counts for one trigger. */
    final class OfTrigger {
        private final TriggerLags.OfTrigger lag;

        private OfTrigger(TriggerLags.OfTrigger lag) {
            this.lag = lag;
        }

        void countRows(int accepted, int tooLarge) {
            rows.labelValues(lag.label()).inc(accepted);
            refused.labelValues(lag.label()).inc(tooLarge);
        }

        void countNotifications(int accepted) {
            notifications.labelValues(lag.label()).inc(accepted);
        }

        void lag(long rows) {
            lag.set(rows);
        }

        void clearLag() {
            lag.clear();
        }
    }
}
