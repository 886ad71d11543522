package dev.millrace.scheduler.mqtt;

import com.google.protobuf.ByteString;
import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.mqtt.protocol.Broker;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerConnections;
import dev.millrace.scheduler.trigger.TriggerKey;
import dev.millrace.scheduler.trigger.TriggerListener;
import dev.millrace.scheduler.trigger.TriggerListeners;
import dev.millrace.scheduler.trigger.TriggerStarts;
import dev.millrace.scheduler.trigger.Triggers;
import dev.millrace.tls.AddressRule;
import java.util.UUID;

/** The listeners of this scheduler for brokers of MQTT, one for each active trigger. */
public final class MqttTriggers implements AutoCloseable {
    /** Maximum number of active triggers of an installation, since each has a connection. */
    static final int TRIGGERS_MAX = 100;
    /** Largest message that is read, in bytes of its packet, unless inputs may be smaller. */
    static final int MESSAGE_BYTES_MAX = 256 << 10;

    private final Triggers triggers;
    private final TriggerConnections connections;
    private final MqttListener.Means means;
    private final int batchCharsMax;
    private final UUID holder;
    private final MqttCounts counts;
    private final TriggerListeners listeners;

    /**
     * @param triggers those of the kind {@code mqtt}
     * @param payloadBytesMax largest input of a run
     * @param holder names this scheduler
     */
    public MqttTriggers(
            Database database,
            Triggers triggers,
            TriggerStarts starts,
            TriggerConnections connections,
            AddressRule hosts,
            int payloadBytesMax,
            UUID holder,
            Metrics metrics) {
        this.triggers = triggers;
        this.connections = connections;
        this.means = new MqttListener.Means(
                hosts,
                connections,
                new MqttSessionStore(database),
                starts,
                Math.min(MESSAGE_BYTES_MAX, payloadBytesMax));
        // A character has at most three bytes; the rest of the input needs room, too.
        this.batchCharsMax = payloadBytesMax / 4;
        this.holder = holder;
        this.counts = new MqttCounts(metrics);
        this.listeners = TriggerListeners.of("mqtt-triggers", triggers, starts, TRIGGERS_MAX, this::listener);
    }

    /** Starts to listen. */
    public MqttTriggers start() {
        listeners.start();
        return this;
    }

    /** Heeds a change soon. */
    public void wake() {
        listeners.wake();
    }

    /** Fails unless the author may use the resource that the settings name, and it says how to reach a broker. */
    public void require(ByteString settings, TriggerKey key, Access by) {
        String connection = MqttProtos.settings(settings).connection();
        connections.require("mqtt.connection", connection, key.workspace(), key.path(), by);
        try {
            var _ = Broker.of(connections.settings(key.workspace(), connection));
        } catch (Broker.Unusable unusable) {
            throw MillraceException.invalid(
                    "mqtt.connection",
                    "the resource " + connection + " is no connection to a broker of MQTT: " + unusable.getMessage());
        }
        triggers.requireActiveBelow(TRIGGERS_MAX, key);
    }

    private TriggerListener listener(Trigger trigger) {
        MqttSettings settings = MqttProtos.settings(trigger.spec().settings());
        String clientId = settings.clientId()
                .orElseGet(() -> "millrace-" + trigger.id().value().toString().replace("-", ""));
        return new MqttListener(
                new MqttSessionStore.Holder(trigger, clientId + " at " + settings.connection(), holder),
                clientId,
                settings,
                means,
                new Occurrences(trigger, settings, means.messageBytesMax(), batchCharsMax, triggers::nextRun),
                counts.of(trigger.id(), trigger.key()));
    }

    @Override
    public void close() {
        listeners.close();
    }
}
