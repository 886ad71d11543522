package dev.millrace.worker.internal.session;

import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.proto.worker.v1.SlotGroup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs leased jobs. The session calls it from the connection's event loop, so {@link #accept}, {@link #goOn},
 * {@link #stop} and {@link #drain} must not block.
 */
public interface JobEngine extends AutoCloseable {
    /**
     * Takes a job: runs it when there is room and it {@linkplain LeasedJob#mayBegin may begin}, and ends it through
     * {@link LeasedJob}.
     */
    void accept(LeasedJob job);

    /** Lets jobs begin that were held back because their leases were in doubt. */
    void goOn();

    /** Sets the listener for slot groups whose room has changed. The engine may call it while holding its own lock. */
    void onRoomChange(Consumer<List<SlotGroup>> listener);

    /** Records the time from the end of a job until the scheduler had stored it. */
    void noteTurnaround(long nanos);

    /** Stops a dropped job: its lease is lost, and no result is expected. */
    void stop(LeasedJob job, String reason);

    /** Begins no further jobs: returns those that have not begun, and any that still arrive. */
    void drain();

    /** What processes the engine keeps; empty for engines without any. May read {@code /proc}, but must not wait. */
    default Optional<ProcessReport> processes() {
        return Optional.empty();
    }

    /** Whether the engine wants to know when versions may have changed. Asked once, before the first session. */
    default boolean wantsVersionChanges() {
        return false;
    }

    /**
     * Current versions of scripts and flows may have changed since the last call. Must not wait.
     *
     * @param isTold whether the scheduler tells of the next change, too
     */
    default void versionsChanged(boolean isTold) {}

    /** Waits until no job runs; false if the timeout expires. */
    boolean awaitIdle(Duration timeout) throws InterruptedException;

    /** Stops all running jobs and frees all resources. */
    @Override
    void close();
}
