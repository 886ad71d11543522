package dev.millrace.scheduler.kafka;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.trigger.TriggerId;
import dev.millrace.scheduler.trigger.TriggerKey;
import dev.millrace.scheduler.trigger.TriggerLags;
import io.prometheus.metrics.core.metrics.Counter;

/** Counts what triggers consume from Kafka. Thread-safe. */
final class KafkaCounts {
    private final Counter messages;
    private final Counter refused;
    private final TriggerLags lags;

    KafkaCounts(Metrics metrics) {
        this.messages = metrics.counter(
                "millrace_kafka_trigger_messages_total",
                "Messages that triggers have accepted, those refused included",
                TriggerLags.TRIGGER);
        this.refused = metrics.counter(
                "millrace_kafka_trigger_refused_messages_total",
                "Messages that were not in the format of their trigger",
                TriggerLags.TRIGGER);
        this.lags = new TriggerLags(
                metrics,
                "millrace_kafka_trigger_lag_messages",
                "Messages in the partitions of this scheduler that triggers have not accepted; the sum over all schedulers counts");
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

        void count(int accepted, int unreadable) {
            messages.labelValues(lag.label()).inc(accepted);
            refused.labelValues(lag.label()).inc(unreadable);
        }

        TriggerLags.OfTrigger lag() {
            return lag;
        }
    }
}
