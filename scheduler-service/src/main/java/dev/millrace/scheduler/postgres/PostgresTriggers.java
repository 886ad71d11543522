package dev.millrace.scheduler.postgres;

import com.google.protobuf.ByteString;
import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerConnections;
import dev.millrace.scheduler.trigger.TriggerKey;
import dev.millrace.scheduler.trigger.TriggerListener;
import dev.millrace.scheduler.trigger.TriggerListeners;
import dev.millrace.scheduler.trigger.TriggerStarts;
import dev.millrace.scheduler.trigger.Triggers;
import dev.millrace.tls.AddressRule;
import dev.millrace.tls.AnswerTurns;
import java.util.UUID;

/** The listeners of this scheduler for tables and channels, one for each active trigger. */
public final class PostgresTriggers implements AutoCloseable {
    /** Maximum number of active triggers of an installation, since each has a connection. */
    static final int TRIGGERS_MAX = 100;

    /** Heap for each connection that reads a large answer at a time: what it has read, and copies of its rows. */
    private static final long HEAP_BYTES_A_TURN = 128 << 20;
    /** Largest answer that needs no turn. */
    private static final int SMALL_ANSWER_BYTES_MAX = 256 << 10;

    private final Triggers triggers;
    private final TriggerConnections connections;
    private final PostgresListener.Means means;
    private final int batchCharsMax;
    private final UUID holder;
    private final PostgresCounts counts;
    private final TriggerListeners listeners;

    /**
     * @param triggers those of the kind {@code postgres}
     * @param payloadBytesMax largest input of a run
     * @param holder names this scheduler
     */
    public PostgresTriggers(
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
        this.means = new PostgresListener.Means(
                hosts,
                AnswerTurns.ofHeap(HEAP_BYTES_A_TURN, SMALL_ANSWER_BYTES_MAX),
                connections,
                new PostgresPositionStore(database),
                starts,
                payloadBytesMax);
        // A character has at most three bytes; the rest of the input needs room, too.
        this.batchCharsMax = payloadBytesMax / 4;
        this.holder = holder;
        this.counts = new PostgresCounts(metrics);
        this.listeners = TriggerListeners.of("postgres-triggers", triggers, starts, TRIGGERS_MAX, this::listener);
    }

    /** Starts to listen. */
    public PostgresTriggers start() {
        listeners.start();
        return this;
    }

    /** Heeds a change soon. */
    public void wake() {
        listeners.wake();
    }

    /** Fails unless the author may use the resource that the settings name, and it says how to reach a database. */
    public void require(ByteString settings, TriggerKey key, Access by) {
        String connection = PostgresProtos.settings(settings).connection();
        connections.require("postgres.connection", connection, key.workspace(), key.path(), by);
        if (Endpoint.of(connections.settings(key.workspace(), connection)) instanceof Unusable(String problem)) {
            throw MillraceException.invalid(
                    "postgres.connection",
                    "the resource " + connection + " is no connection to PostgreSQL: " + problem);
        }
        triggers.requireActiveBelow(TRIGGERS_MAX, key);
    }

    private TriggerListener listener(Trigger trigger) {
        PostgresSettings settings = PostgresProtos.settings(trigger.spec().settings());
        return new PostgresListener(
                new PostgresPositionStore.Holder(trigger, settings.source(), holder),
                settings,
                means,
                new Occurrences(trigger, settings, batchCharsMax, triggers::nextRun),
                counts.of(trigger.id(), trigger.key()));
    }

    @Override
    public void close() {
        listeners.close();
    }
}
