package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.queue.core.JobKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node does, as far as that can be told without a run. Each kind of step is one record that answers for itself and reads, where it is
 * compiled, what its steps read; {@link StepCompilers} has a line for each.
 */
public sealed interface Work
        permits Container,
                TaskWork,
                WaitWork,
                HttpPollWork,
                StartRunWork,
                ChildRunWork,
                ComputeWork,
                SetVariablesWork,
                TerminateWork {
    /** The kind it has in history. */
    JobKind kind();

    /** The lists inside. */
    default List<Graph> lists() {
        return List.of();
    }

    /** Of these, the lists whose results can be read from outside. */
    default List<Graph> openLists() {
        return List.of();
    }

    /** The list inside that has a step of this id, where a key does not tell which list it is; null where there is none. */
    default @Nullable Graph find(String id) {
        return null;
    }

    /** Where the list that has this step begins among the steps of all lists inside, for comparing. */
    default int offset(String id) {
        return 0;
    }

    /** Whether the machine limits its time and has it begin again, as its policy says; for a job, the queue does that. */
    default boolean followsItsPolicy() {
        return false;
    }

    /** Whether it may end as soon as it has begun, without a worker and without waiting for anything. */
    default boolean mayEndAtOnce() {
        return false;
    }

    /** Whether it reads what it does not only when it begins, but also once its job has ended. */
    default boolean readsAtItsEnd() {
        return false;
    }

    /** Whether its end may end something around it early. */
    default boolean mayStop() {
        return false;
    }

    /** Whether nothing of it is kept after the run. */
    default boolean isErased() {
        return false;
    }
}
