package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Command that moves the flow of one run because of a row that its sender has found in the database, and finds again
 * until the command is done.
 */
public interface FoundCommand extends LaneCommand {
    /** The run whose flow the command moves. */
    RunId moved();

    /** What the sender has found in the database. */
    Record found();

    /** Completes when the sender need not wait for the command any longer. */
    CompletableFuture<Void> done();

    @Override
    default Optional<RunId> run(Leases leases) {
        return Optional.of(moved());
    }

    @Override
    default Optional<RunId> movedRun(Leases leases) {
        return Optional.of(moved());
    }

    @Override
    default boolean isFoundAgain() {
        return true;
    }

    @Override
    default void putOff() {
        done().complete(null);
    }

    @Override
    default boolean repeats(LaneCommand other) {
        return other instanceof FoundCommand command && command.found().equals(found());
    }

    /**
     * Fails the run after a bug. Otherwise the sender would find the row again and again, and the run would never
     * continue.
     */
    @Override
    default Optional<LaneCommand> afterBug(Throwable bug) {
        return Optional.of(new FailRun(moved(), LaneCommand.internalError(bug), done()));
    }

    @Override
    default void fail(Throwable cause) {
        done().completeExceptionally(cause);
    }
}
