package dev.millrace.scheduler.kafka;

import dev.millrace.metrics.LabelBound;
import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.trigger.TriggerId;
import dev.millrace.scheduler.trigger.TriggerKey;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what triggers consume from Kafka. Thread-safe. */
final class KafkaCounts {
    /** Largest number of triggers that metrics tell apart; all further ones are counted together. */
    private static final int TRIGGERS_MAX = 50;

    private static final String TRIGGER = "trigger";

    private final LabelBound bound = new LabelBound(TRIGGERS_MAX);
    private final Counter messages;
    private final Counter refused;
    private final Map<TriggerId, Lag> lags = new ConcurrentHashMap<>();

    private record Lag(String label, long messages) {}

    KafkaCounts(Metrics metrics) {
        this.messages = metrics.counter(
                "millrace_kafka_trigger_messages_total",
                "Messages that triggers have accepted, those refused included",
                TRIGGER);
        this.refused = metrics.counter(
                "millrace_kafka_trigger_refused_messages_total",
                "Messages that were not in the format of their trigger",
                TRIGGER);
        metrics.gauges(
                "millrace_kafka_trigger_lag_messages",
                "Messages in the partitions of this scheduler that triggers have not accepted; the sum over all schedulers counts",
                List.of(TRIGGER),
                points -> {
                    Map<String, Long> sums = new TreeMap<>();
                    lags.values().forEach(lag -> sums.merge(lag.label(), lag.messages(), Long::sum));
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

        void count(int accepted, int unreadable) {
            messages.labelValues(label).inc(accepted);
            refused.labelValues(label).inc(unreadable);
        }

        void lag(long messages) {
            lags.put(id, new Lag(label, messages));
        }

        void clearLag() {
            lags.remove(id);
        }
    }
}
