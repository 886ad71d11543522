package dev.millrace.scheduler.kafka;

import com.google.protobuf.ByteString;
import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerKey;
import dev.millrace.scheduler.trigger.TriggerListener;
import dev.millrace.scheduler.trigger.TriggerListeners;
import dev.millrace.scheduler.trigger.TriggerStarts;
import dev.millrace.scheduler.trigger.Triggers;
import java.util.Optional;

/**
 * The consumers of this scheduler, one for each active trigger. Every scheduler has one for every trigger: they are members
 * of the same group, so the brokers divide the partitions among them, and give those of a dead scheduler to the others.
 */
public final class KafkaTriggers implements AutoCloseable {
    /** Maximum number of active triggers of an installation, since each scheduler has a consumer for each of them. */
    static final int TRIGGERS_MAX = 100;

    private final Triggers triggers;
    private final TriggerStarts starts;
    private final TopicConsumers consumers;
    private final int messageBytesMax;
    private final int batchCharsMax;
    private final KafkaPositionStore positions;
    private final KafkaCounts counts;
    private final TriggerListeners listeners;

    /**
     * @param triggers those of the kind {@code kafka}
     * @param payloadBytesMax largest input of a run
     */
    public KafkaTriggers(
            Database database,
            Triggers triggers,
            TriggerStarts starts,
            TopicConsumers consumers,
            int payloadBytesMax,
            Metrics metrics) {
        this.triggers = triggers;
        this.starts = starts;
        this.consumers = consumers;
        this.messageBytesMax = payloadBytesMax;
        // A character has at most three bytes; the rest of the input needs room, too.
        this.batchCharsMax = payloadBytesMax / 4;
        this.positions = new KafkaPositionStore(database);
        this.counts = new KafkaCounts(metrics);
        this.listeners = TriggerListeners.of("kafka-triggers", triggers, starts, TRIGGERS_MAX, this::listener);
    }

    /** Starts to consume. */
    public KafkaTriggers start() {
        listeners.start();
        return this;
    }

    /** Heeds a change soon. */
    public void wake() {
        listeners.wake();
    }

    /** Fails unless the author may use the resource that the settings name, and it says how to reach brokers. */
    public void require(ByteString settings, TriggerKey key, Access by) {
        String connection = KafkaProtos.settings(settings, key).connection();
        consumers.require("kafka.connection", connection, key.workspace(), key.path(), by);
        triggers.requireActiveBelow(TRIGGERS_MAX, key);
    }

    private TriggerListener listener(Trigger trigger) {
        KafkaSettings settings = KafkaProtos.settings(trigger.spec().settings(), trigger.key());
        Consumption consumption = new Consumption(trigger, settings, messageBytesMax, batchCharsMax, triggers::nextRun);
        KafkaCounts.OfTrigger counted = counts.of(trigger.id(), trigger.key());
        Consumed consumed = new Consumed(
                trigger.key().workspace(),
                trigger.key().path(),
                settings.connection(),
                settings.topics(),
                settings.group(),
                settings.startsLatest() ? Optional.of(trigger.changedAt()) : Optional.empty(),
                settings.batchMax().orElse(1),
                settings.batchWait());
        return consumers.consumer(
                consumed,
                positions.of(trigger.id()),
                new TriggerIntake(trigger, positions, starts, consumption, counted),
                counted.lag());
    }

    @Override
    public void close() {
        listeners.close();
    }
}
