package dev.millrace.scheduler.mqtt;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.trigger.TriggerId;
import dev.millrace.scheduler.trigger.TriggerKey;
import dev.millrace.scheduler.trigger.TriggerLags;
import io.prometheus.metrics.core.metrics.Counter;

/** Counts what triggers get from brokers of MQTT. Thread-safe. */
final class MqttCounts {
    private final Counter messages;
    private final Counter refused;
    private final Counter ignored;
    private final Counter repeated;
    private final TriggerLags connected;

    MqttCounts(Metrics metrics) {
        this.messages = metrics.counter(
                "millrace_mqtt_trigger_messages_total",
                "Messages that triggers have accepted, those refused included",
                TriggerLags.TRIGGER);
        this.refused = metrics.counter(
                "millrace_mqtt_trigger_refused_messages_total",
                "Messages that were too large or not in the format of their trigger",
                TriggerLags.TRIGGER);
        this.ignored = metrics.counter(
                "millrace_mqtt_trigger_ignored_messages_total",
                "Retained messages of triggers that skip them, and messages of topics that a trigger had before",
                TriggerLags.TRIGGER);
        this.repeated = metrics.counter(
                "millrace_mqtt_trigger_repeated_messages_total",
                "Messages that came again and started nothing",
                TriggerLags.TRIGGER);
        this.connected = new TriggerLags(
                metrics,
                "millrace_mqtt_trigger_connected",
                "Whether this scheduler is connected to the broker of a trigger; the sum over all schedulers is 1");
    }

    OfTrigger of(TriggerId id, TriggerKey key) {
        return new OfTrigger(connected.of(id, key));
    }

    /** Counts for one trigger. */
    final class OfTrigger {
        private final TriggerLags.OfTrigger connection;

        private OfTrigger(TriggerLags.OfTrigger connection) {
            this.connection = connection;
        }

        void countAccepted(int accepted, int unusable) {
            messages.labelValues(connection.label()).inc(accepted);
            refused.labelValues(connection.label()).inc(unusable);
        }

        void countIgnored(int number) {
            ignored.labelValues(connection.label()).inc(number);
        }

        void countRepeated(int number) {
            repeated.labelValues(connection.label()).inc(number);
        }

        void connected(boolean isConnected) {
            if (isConnected) {
                connection.set(1);
            } else {
                connection.clear();
            }
        }
    }
}
