package dev.millrace.scheduler.eventhandler;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.kafka.Consumed;
import dev.millrace.scheduler.kafka.TopicConsumers;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.trigger.ListenTroubles;
import dev.millrace.scheduler.trigger.ListenTurns;
import dev.millrace.scheduler.trigger.TriggerLags;
import dev.millrace.scheduler.trigger.TriggerListener;
import dev.millrace.scheduler.trigger.TriggerListeners;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The consumers of this scheduler for handlers of topics of Kafka, one for each active handler. Thread-safe. */
final class TopicHandlers implements AutoCloseable {
    /** Maximum number of active handlers of topics in an installation, since each scheduler has a consumer for each. */
    static final int HANDLERS_MAX = 100;
    /** Maximum number of them in a workspace. */
    static final int OF_WORKSPACE_MAX = HANDLERS_MAX / 2;

    private final TopicStore store;
    private final TopicConsumers consumers;
    private final ListenTurns turns;
    private final EventBus bus;
    private final IdSource ids;
    private final TriggerLags lags;
    private final TriggerListeners listeners;

    TopicHandlers(
            Database database,
            TopicConsumers consumers,
            ListenTroubles troubles,
            ListenTurns turns,
            EventBus bus,
            IdSource ids,
            Metrics metrics) {
        this.store = new TopicStore(database);
        this.consumers = consumers;
        this.turns = turns;
        this.bus = bus;
        this.ids = ids;
        this.lags = new TriggerLags(
                metrics,
                "millrace_event_handler_lag_messages",
                "Messages in the partitions of this scheduler that event handlers have not got; the sum over all schedulers counts",
                "handler");
        this.listeners = new TriggerListeners("topic-handlers", this::wanted, troubles);
    }

    TopicHandlers start() {
        listeners.start();
        return this;
    }

    /** Heeds a change soon. */
    void wake() {
        listeners.wake();
    }

    /** Fails if the event of a handler is a topic and the author may not read it, or too many handlers read topics. */
    void require(Workspace workspace, String path, HandlerDefinition definition, Access by) {
        Optional<TopicEvent> topic = TopicEvent.of(definition.event()).filter(_ -> definition.isActive());
        if (topic.isEmpty()) {
            return;
        }
        consumers.require("definition.event", topic.get().connection(), workspace, path, by);
        TopicStore.Active active = store.activeBeside(workspace, path);
        if (active.inWorkspace() >= OF_WORKSPACE_MAX) {
            throw tooMany("workspace " + workspace, OF_WORKSPACE_MAX);
        }
        if (active.inAll() >= HANDLERS_MAX) {
            throw tooMany("installation", HANDLERS_MAX);
        }
    }

    private static MillraceException tooMany(String where, int max) {
        return new MillraceException(
                ErrorCode.TOO_MANY,
                "The " + where + " has " + max + " active event handlers of topics of Kafka, as many as it may have,"
                        + " because each of them keeps connections open: deactivate or delete some first.");
    }

    private List<TriggerListeners.Wanted> wanted() {
        return store.active(HANDLERS_MAX).stream().flatMap(this::wanted).toList();
    }

    /** Nothing for an event that was stored before its form was checked. */
    private Stream<TriggerListeners.Wanted> wanted(EventHandler handler) {
        return TopicEvent.of(handler.definition().event()).stream()
                .map(topic -> new TriggerListeners.Wanted(
                        handler.id(),
                        "handler",
                        handler.version(),
                        "event handler " + handler.path(),
                        () -> listener(handler, topic),
                        sentence -> store.noteTrouble(handler, ids.nextUuid(), sentence)));
    }

    private TriggerListener listener(EventHandler handler, TopicEvent event) {
        Consumed consumed = new Consumed(
                handler.workspace(),
                handler.path(),
                event.connection(),
                List.of(event.topic()),
                "millrace." + handler.workspace() + ".event-handler."
                        + handler.path().replace('/', '.'),
                Optional.of(handler.changedAt()),
                1,
                Duration.ZERO);
        return consumers.consumer(
                consumed,
                store.positions(handler.id()),
                new TopicIntake(handler, store, turns, bus),
                lags.of(handler.id(), handler.workspace(), handler.path()));
    }

    @Override
    public void close() {
        listeners.close();
    }
}
