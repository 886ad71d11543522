package dev.millrace.scheduler.eventhandler;

import dev.millrace.scheduler.kafka.Intake;
import dev.millrace.scheduler.kafka.SkippedBatch;
import dev.millrace.scheduler.kafka.core.Message;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.trigger.ListenTurns;
import java.util.List;
import java.util.UUID;

/** Notes the messages of a topic for a handler. Any scheduler decides then what the handler does with them. */
final class TopicIntake implements Intake {
    /** Number of executions of a handler that have not ended from which on it gets no further messages. */
    static final int UNFINISHED_MAX = 1_000;

    private final EventHandler handler;
    private final TopicStore store;
    private final ListenTurns turns;
    private final EventBus bus;

    TopicIntake(EventHandler handler, TopicStore store, ListenTurns turns, EventBus bus) {
        this.handler = handler;
        this.store = store;
        this.turns = turns;
        this.bus = bus;
    }

    @Override
    public Outcome accept(UUID topic, List<Message> messages) throws InterruptedException {
        try (ListenTurns.Turn _ = turns.take()) {
            boolean isNoted = store.note(
                    handler,
                    topic,
                    messages.getFirst().partition(),
                    messages.getLast().offset() + 1,
                    first -> messages.stream()
                            .filter(message -> message.offset() >= first)
                            .map(message -> TopicMessage.of(topic, message))
                            .toList());
            if (!isNoted) {
                return Outcome.GONE;
            }
        }
        bus.publish(new MessagesPublished());
        return Outcome.PENDING;
    }

    @Override
    public boolean skip(UUID topic, SkippedBatch batch) {
        return store.note(
                handler,
                topic,
                batch.partition(),
                batch.end(),
                first -> List.of(TopicMessage.skipped(topic, batch, Math.max(first, batch.begin()))));
    }

    @Override
    public boolean isBehind() {
        return store.unfinished(handler.id(), UNFINISHED_MAX) >= UNFINISHED_MAX;
    }
}
