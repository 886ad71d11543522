package dev.millrace.worker.internal.session;

import dev.millrace.proto.worker.v1.SlotGroup;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs leased jobs. The session calls it from the connection's event loop, so {@link #accept}, {@link #goOn}, {@link #stop} and {@link #drain} never block.
 */
public interface JobEngine extends AutoCloseable {
    /** Takes a job: runs it when there is room and it {@linkplain LeasedJob#mayBegin may begin}, and ends it through {@link LeasedJob}. */
    void accept(LeasedJob job);

    /** Jobs that could not begin because their leases were in doubt may begin now. */
    void goOn();

    /**
     * Names who is told which of its slot groups have room for more or fewer jobs than they said before. May be told under the engine's
     * lock.
     */
    void onRoomChange(Consumer<List<SlotGroup>> listener);

    /** Notes how long it took from the end of a job until the scheduler had recorded it. */
    void noteTurnaround(long nanos);

    /** Stops a job that has been dropped: its lease is gone, and nobody waits for a result. */
    void stop(LeasedJob job, String reason);

    /** Begins nothing new: jobs that have not begun, and any that still arrive, are given back. */
    void drain();

    /** Waits until no job runs any more; false where the time was not enough. */
    boolean awaitIdle(Duration timeout) throws InterruptedException;

    /** Stops whatever still runs and frees everything. */
    @Override
    void close();
}
