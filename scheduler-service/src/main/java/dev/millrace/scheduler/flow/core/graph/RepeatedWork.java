package dev.millrace.scheduler.flow.core.graph;

/**
 * Work of one job after the other: the end of a job need not be that of the step. When a job has succeeded, the kind decides whether another one follows, and
 * what the step results in.
 */
public sealed interface RepeatedWork extends Work permits HttpPollWork {
    @Override
    default boolean followsItsPolicy() {
        return true;
    }
}
