package dev.millrace.scheduler.event;

import dev.millrace.scheduler.event.core.Position;
import dev.millrace.scheduler.event.core.Scope;
import dev.millrace.scheduler.event.core.StoredEvent;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PacedStream;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.RunState;
import dev.millrace.scheduler.run.search.RunSearch;
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

    /**
     * How often to look at flows that were queued when they were told. A flow begins when it is accepted, but runs once a
     * worker has its first step, of which only the events of steps tell.
     */
    private static final Duration QUEUED_INTERVAL = Duration.ofMillis(400);
    /** Maximum number of such flows: those of the first page of a list. */
    private static final int QUEUED_MAX = 100;

    /** How often to look for events of which nobody has told, because the scheduler that stored them was killed. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(5);

    private final Events events;
    private final RunSearches runs;
    private final Workspace workspace;
    private final Optional<Set<String>> folders;
    private final Messages<T> messages;
    private final PacedStream<T> stream;

    /** Flows that were queued when they were last told, the newest last. */
    private final Set<RunId> queued = new LinkedHashSet<>();

    private Position position;
    private long queuedNanos = System.nanoTime();
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
            runs.list(workspace, RunSearch.queued(folders), PageRequest.of(QUEUED_MAX, ""))
                    .runs()
                    .reversed()
                    .forEach(this::note);
            boolean goesOn = true;
            while (goesOn) {
                stream.awaitReady();
                Round round = read();
                send(round);
                tellBegun();
                keepUp();
                goesOn = !untilNow || position.transaction() < opening.until();
                if (round.hasNews()) {
                    WakeLatch.pause(ROUND_INTERVAL);
                }
                if (goesOn) {
                    stream.awaitChange(queued.isEmpty() ? round.pause() : earlier(round.pause(), QUEUED_INTERVAL));
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
            note(found.get(i));
            tell(messages.run(i == 0 ? round.end() : position, found.get(i)));
        }
        position = round.end();
        if (round.isBehind()) {
            position =
                    events.open(workspace, Scope.RUNS, new Start.Now(), false).position();
            tell(messages.missing(position, "More runs have changed than this call shows: list them again."));
        }
    }

    private void note(Run run) {
        queued.remove(run.id());
        if (run.kind() == JobKind.FLOW
                && run.state() == RunState.QUEUED
                && run.waiting().isEmpty()) {
            queued.add(run.id());
            if (queued.size() > QUEUED_MAX) {
                queued.remove(queued.iterator().next());
            }
        }
    }

    /** Tells the flows that have been queued and are not any more. */
    private void tellBegun() throws InterruptedException {
        long now = System.nanoTime();
        if (queued.isEmpty() || now - queuedNanos < QUEUED_INTERVAL.toNanos()) {
            return;
        }
        queuedNanos = now;
        List<Run> found = runs.these(workspace, folders, List.copyOf(queued));
        queued.retainAll(found.stream().map(Run::id).toList());
        for (Run run : found) {
            if (run.state() != RunState.QUEUED) {
                queued.remove(run.id());
                tell(messages.run(position, run));
            }
        }
    }

    private static Duration earlier(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
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
