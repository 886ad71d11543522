package dev.millrace.scheduler.event;

import dev.millrace.scheduler.event.core.Position;
import dev.millrace.scheduler.event.core.StoredEvent;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads the events of a workspace for somebody who keeps the position. Not thread-safe; reading blocks. */
public final class Subscription {
    /** Time after which a position is worth keeping although there were no events: it must not become too old. */
    private static final Duration FAR = Duration.ofMinutes(10);

    private final Events events;
    private final Workspace workspace;
    private final Optional<String> gap;
    private Position position;

    Subscription(Events events, Workspace workspace, Events.Opening opening) {
        this.events = events;
        this.workspace = workspace;
        this.gap = opening.gap();
        this.position = opening.position();
    }

    /** Why events after the position may be missing. */
    public Optional<String> gap() {
        return gap;
    }

    /** The next events. */
    public Batch next() {
        EventStore.Batch batch = events.next(workspace, true, position);
        int epoch = batch.end().epoch();
        position = batch.end();
        List<Read> read = batch.events().stream()
                .map(event -> new Read(event, CloudEvent.of(workspace, place(epoch, event), event)))
                .toList();
        return new Batch(read, position.text(), batch.isLast(), batch.isHeldUp());
    }

    private static Position place(int epoch, StoredEvent event) {
        return new Position(
                epoch, event.transaction(), event.number(), event.time().toEpochMilli());
    }

    /** An event as a record and as a CloudEvent. */
    public record Read(StoredEvent stored, String cloudEvent) {}

    /**
     * Some events.
     *
     * @param position where to go on
     * @param isLast whether no further event can be read now
     * @param isHeldUp whether further events are stored whose turn has not come, because an older transaction is open
     */
    public record Batch(List<Read> events, String position, boolean isLast, boolean isHeldUp) {
        /** Whether the position is so much later than another one that it is worth keeping. */
        public boolean isFarFrom(String other) {
            long here = Position.parse(position).map(Position::timeMillis).orElse(0L);
            long there = Position.parse(other).map(Position::timeMillis).orElse(0L);
            return here - there > FAR.toMillis();
        }
    }
}
