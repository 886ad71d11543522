package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.queue.core.JobKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node does, as far as that is known without a run. Each kind of step is one record that describes itself and
 * compiles its own action; {@link StepCompilers} has one line for each kind.
 */
public sealed interface Work
        permits Container,
                TaskWork,
                WaitWork,
                RepeatedWork,
                StartRunWork,
                ChildRunWork,
                ComputeWork,
                PublishWork,
                SetVariablesWork,
                TerminateWork {
    /** The kind of the step in the history. */
    JobKind kind();

    /** The lists of steps inside. */
    default List<Graph> lists() {
        return List.of();
    }

    /** The lists inside whose results can be read from outside. */
    default List<Graph> openLists() {
        return List.of();
    }

    /**
     * Returns the list inside that contains a step with this id, if keys do not say which list it is; null if there is
     * none.
     */
    default @Nullable Graph find(String id) {
        return null;
    }

    /** Returns the position of that list among the steps of all lists inside, for comparison. */
    default int offset(String id) {
        return 0;
    }

    /**
     * Returns whether the machine applies the timeout and the retries of the policy. For a job, the queue does so
     * instead.
     */
    default boolean followsItsPolicy() {
        return false;
    }

    /** Returns whether the step may end as soon as it has begun, without a worker or a wait. */
    default boolean mayEndAtOnce() {
        return false;
    }

    /** Whether its end may end something around it early. */
    default boolean mayStop() {
        return false;
    }

    /** Returns whether the data of the step is deleted after the run. */
    default boolean isErased() {
        return false;
    }
}
