package dev.millrace.scheduler.child;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.RunOperations;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.wake.NotificationsMissed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Follows the notes about child runs: tells parents that their child runs have ended, and cancels child runs that no
 * parent waits for.
 *
 * <p>A note remains until its work is done. Any number of schedulers may follow the notes, because a lane ends each
 * wait once and a run can be canceled only once.
 */
public final class ChildOutbox implements AutoCloseable {
    /** Interval for looking without a notification, for notes that other schedulers have left. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(5);

    private static final int PAGE_ROWS = 100;
    private static final Outcome GONE = new Outcome.Failed(JobError.permanent(
            "RunGone",
            "The run has ended, and its record is gone: runs are kept for a shorter time than this one waited."));

    private final ChildNoteStore store;
    private final LaneChildren children;
    private final RunOperations operations;
    private final Loop loop;

    private ChildOutbox(Database database, EventBus bus, Lanes lanes, RunOperations operations) {
        this.store = new ChildNoteStore(database);
        this.children = new LaneChildren(lanes);
        this.operations = operations;
        this.loop = Loop.start("child-notes", HEALING_INTERVAL, this::followAll);
        bus.subscribe(ChildrenNoted.class, _ -> loop.wake());
        bus.subscribe(NotificationsMissed.class, _ -> loop.wake());
    }

    public static ChildOutbox start(Database database, EventBus bus, Lanes lanes, RunOperations operations) {
        return new ChildOutbox(database, bus, lanes, operations);
    }

    @Override
    public void close() {
        loop.close();
    }

    /** Follows all notes. If some of them fail, the round of the loop fails after the others have been followed. */
    private void followAll() {
        Optional<ChildNote> last = Optional.empty();
        Optional<CompletionException> failure = Optional.empty();
        List<ChildNote> page;
        do {
            page = store.find(last, PAGE_ROWS);
            try {
                CompletableFuture.allOf(page.stream().map(this::follow).toArray(CompletableFuture<?>[]::new))
                        .join();
            } catch (CompletionException ofSome) {
                failure = Optional.of(ofSome);
            }
            if (!page.isEmpty()) {
                last = Optional.of(page.getLast());
            }
        } while (page.size() == PAGE_ROWS);
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    private CompletableFuture<?> follow(ChildNote note) {
        return switch (note.kind()) {
            case ENDED -> tell(note);
            case ABANDONED -> cancel(note);
        };
    }

    /**
     * Tells the parent that its child run has ended. If the child run is live again because someone has retried it, the
     * note remains for its next end.
     */
    private CompletableFuture<?> tell(ChildNote note) {
        ChildNoteStore.Standing child = store.standing(note.child());
        return child.isLive()
                ? CompletableFuture.completedFuture(null)
                : children.end(new EndedChild(
                        note.child(),
                        note.parent(),
                        note.stepKey(),
                        note.waitId(),
                        child.end().orElse(GONE)));
    }

    /** The lane that cancels the run must not wait for the database, so another thread removes the note. */
    private CompletableFuture<?> cancel(ChildNote note) {
        String reason = "Step \"" + note.stepKey() + "\" of run " + note.parent() + " no longer waits for this run.";
        return operations
                .operate(note.child(), new RunOperation.Cancel(), new OperationNote("", reason, ""))
                .thenAcceptAsync(_ -> store.remove(note), Thread::startVirtualThread);
    }
}
