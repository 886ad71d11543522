package dev.millrace.scheduler.event;

import dev.millrace.scheduler.event.core.Position;
import dev.millrace.scheduler.event.core.Scope;
import dev.millrace.scheduler.event.core.StoredEvent;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PacedStream;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.search.RunSearches;
import dev.millrace.scheduler.runtime.WakeLatch;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Feed of the runs that change in one workspace, for one reader. The events say which runs have changed; their rows, read
 * after the events, say what they are now.
 *
 * <p>A round reads at most {@link #EVENTS_MAX} events, and rounds with news are at least {@link #ROUND_INTERVAL} apart, so
 * that a busy workspace costs a bounded number of queries a second. What a round does not reach becomes a gap.
 */
final class RunFeed<T> {
    /** Types of the events that change how a list shows a run. */
    private static final String TYPES = "run.";
    /** Maximum number of events in a round: those of some pages of a list. */
    private static final int EVENTS_MAX = 4 * Events.BATCH_MAX;

    private static final Duration ROUND_INTERVAL = Duration.ofMillis(200);

    /** How often to look for events of which nobody has told, because the scheduler that stored them was killed. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(5);

    private final Events events;
    private final RunSearches runs;
    private final Workspace workspace;
    private final Optional<Set<String>> folders;
    private final Messages<T> messages;
    private final PacedStream<T> stream;

    private Position position;
    private long toldNanos = System.nanoTime();
    private long prolongedNanos = toldNanos;

    /** What a reader is told. Each message has the position at which the reader goes on. */
    interface Messages<T> {
        T run(Position position, Run run);

        /** No run has changed up to the position. */
        T upTo(Position position);

        /** Changes before the position may be missing. */
        T missing(Position position, String why);
    }

    /** @param folders folders of which the reader may see the runs; absent for all */
    RunFeed(
            Events events,
            RunSearches runs,
            Workspace workspace,
            Optional<Set<String>> folders,
            Messages<T> messages,
            PacedStream<T> stream) {
        this.events = events;
        this.runs = runs;
        this.workspace = workspace;
        this.folders = folders;
        this.messages = messages;
        this.stream = stream;
        this.position = new Position(0, 0, 0, 0);
    }

    /** Sends until the reader goes, or until all is sent that was committed at the beginning. */
    void follow(Start start, boolean untilNow) throws InterruptedException {
        try (Events.Waiter _ = events.waiter(stream::wake)) {
            Events.Opening opening = events.open(workspace, Scope.RUNS, start, false);
            position = opening.position();
            tell(opening.gap().map(why -> messages.missing(position, why)).orElseGet(() -> messages.upTo(position)));
            boolean goesOn = true;
            while (goesOn) {
                stream.awaitReady();
                Round round = read();
                send(round);
                keepUp();
                goesOn = !untilNow || position.transaction() < opening.until();
                if (round.hasNews()) {
                    WakeLatch.pause(ROUND_INTERVAL);
                }
                if (goesOn) {
                    stream.awaitChange(round.pause());
                }
            }
        }
    }

    /**
     * What a round has read.
     *
     * @param changed the runs, each once
     * @param end position after the events
     * @param isBehind whether more events are stored than a round reads
     * @param pause how long to wait for the next round, if no news come
     */
    private record Round(List<RunId> changed, Position end, boolean isBehind, boolean hasNews, Duration pause) {}

    private Round read() {
        Set<RunId> changed = new LinkedHashSet<>();
        Position end = position;
        int read = 0;
        EventStore.Batch batch;
        do {
            batch = events.next(workspace, false, end);
            end = batch.end();
            read += batch.events().size();
            for (StoredEvent event : batch.events()) {
                if (event.type().startsWith(TYPES)) {
                    event.run().ifPresent(changed::add);
                }
            }
        } while (!batch.isLast() && read < EVENTS_MAX);
        return new Round(
                List.copyOf(changed),
                end,
                !batch.isLast(),
                !changed.isEmpty(),
                Events.pauseAfter(batch, HEALING_INTERVAL));
    }

    /** Each run but the last one goes out with the position before the round, so that no break of the stream loses any. */
    private void send(Round round) throws InterruptedException {
        List<Run> found = runs.these(workspace, folders, round.changed());
        for (int i = found.size() - 1; i >= 0; i--) {
            tell(messages.run(i == 0 ? round.end() : position, found.get(i)));
        }
        position = round.end();
        if (round.isBehind()) {
            position =
                    events.open(workspace, Scope.RUNS, new Start.Now(), false).position();
            tell(messages.missing(position, "More runs have changed than this call shows: list them again."));
        }
    }

    private void keepUp() throws InterruptedException {
        long now = System.nanoTime();
        if (now - toldNanos > EventGrpcService.CHECKPOINT_INTERVAL.toNanos()) {
            tell(messages.upTo(position));
        }
        if (now - prolongedNanos > EventGrpcService.PROLONG_INTERVAL.toNanos()) {
            events.prolong(workspace, Scope.RUNS);
            prolongedNanos = now;
        }
    }

    private void tell(T message) throws InterruptedException {
        stream.send(message);
        toldNanos = System.nanoTime();
    }
}
