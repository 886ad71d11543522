package dev.millrace.scheduler.flow.core.graph;

/**
 * Work that may take several jobs, one after another: the end of a job does not always end the step. When a job has
 * succeeded, the kind of work decides whether another job follows, and which result the step has.
 */
public sealed interface RepeatedWork extends Work permits HttpPollWork {
    @Override
    default boolean followsItsPolicy() {
        return true;
    }
}
