package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/**
 * Learns what lanes have committed, for metrics. The driver of a lane calls it after the commit, before the next batch,
 * so each method returns at once and throws nothing. Several lanes call it at the same time.
 */
public interface LaneObserver {
    /** Ignores everything. */
    LaneObserver NONE = new LaneObserver() {};

    /**
     * A batch is durable.
     *
     * @param commands number of commands in the batch
     * @param planNanos time to plan it, with what was read for it
     * @param commitNanos time of the round trip to the database that committed it
     */
    default void committed(int commands, long planNanos, long commitNanos) {}

    /** The database has rejected a batch, whose commands are repeated one by one. */
    default void rejected() {}

    /** A lane has lost the database. */
    default void databaseLost() {}

    /** A job has entered the queue; a root job of a flow, too. */
    default void enqueued(QueuedJob job) {}

    /**
     * A worker gets a job.
     *
     * @param hasWaited whether the job was in the queue before; if not, a free slot got it at once
     */
    default void leased(QueuedJob job, boolean hasWaited) {}

    /** A job has returned to the queue after an attempt. */
    default void requeued(QueuedJob job) {}

    /**
     * A job has ended.
     *
     * @param runMicros duration of its last attempt in microseconds; negative if it never began
     */
    default void jobEnded(QueuedJob job, Outcome outcome, long runMicros) {}

    /**
     * A run has ended.
     *
     * @param root its root job; empty if the lane does not have it in memory
     */
    default void runEnded(RunId run, Optional<QueuedJob> root, Outcome outcome) {}
}
