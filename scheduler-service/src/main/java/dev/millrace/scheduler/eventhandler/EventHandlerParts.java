package dev.millrace.scheduler.eventhandler;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.identity.StandingTokens;
import dev.millrace.scheduler.kafka.TopicConsumers;
import dev.millrace.scheduler.operation.Operations;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.signal.TaskSignals;
import dev.millrace.scheduler.submission.Submissions;
import dev.millrace.scheduler.trigger.ListenTroubles;
import dev.millrace.scheduler.trigger.ListenTurns;
import dev.millrace.scheduler.trigger.StartQuota;
import dev.millrace.scheduler.trigger.TriggerRights;

/** The parts that handle events. */
public final class EventHandlerParts implements AutoCloseable {
    private final HandlerRunner runner;
    private final TopicHandlers topics;
    private final EventHandlers handlers;

    private EventHandlerParts(HandlerRunner runner, TopicHandlers topics, EventHandlers handlers) {
        this.runner = runner;
        this.topics = topics;
        this.handlers = handlers;
    }

    /** What handlers act through. */
    public record Means(
            Submissions submissions,
            StartQuota quota,
            Operations operations,
            Runs runs,
            TaskSignals tasks,
            TriggerRights rights,
            StandingTokens tokens,
            TopicConsumers consumers,
            ListenTroubles troubles,
            ListenTurns turns) {}

    /** Starts to handle events. */
    public static EventHandlerParts start(Database database, EventBus bus, IdSource ids, Means means, Metrics metrics) {
        Performer performer =
                new Performer(means.submissions(), means.quota(), means.operations(), means.runs(), means.tasks());
        HandlerRunner runner = new HandlerRunner(
                database, bus, means.rights(), new Planner(ids::nextRun), performer, new HandlerMetrics(metrics));
        TopicHandlers topics =
                new TopicHandlers(database, means.consumers(), means.troubles(), means.turns(), bus, ids, metrics);
        return new EventHandlerParts(
                runner.start(), topics.start(), new EventHandlers(database, means.tokens(), ids, topics));
    }

    public EventHandlerGrpcService service() {
        return new EventHandlerGrpcService(handlers);
    }

    @Override
    public void close() {
        topics.close();
        runner.close();
    }
}
