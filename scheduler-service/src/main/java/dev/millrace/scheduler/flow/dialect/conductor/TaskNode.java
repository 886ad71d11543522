package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.List;
import java.util.Objects;

/**
 * A task of the definition.
 *
 * @param reference {@code taskReferenceName} of the task, which becomes the id of its step
 * @param name of its definition
 * @param mark where the task begins
 * @param path place of the task in the definition
 * @param fields keys of the task, without those that are null
 * @param lists lists of tasks inside the task
 */
record TaskNode(
        String reference, String name, TaskType type, Mark mark, String path, Fields fields, List<TaskList> lists) {
    TaskNode {
        lists = List.copyOf(lists);
    }

    /**
     * A list of tasks inside another task.
     *
     * @param label value of a case; empty for any other list
     */
    record TaskList(String label, List<TaskNode> tasks) {
        TaskList {
            tasks = List.copyOf(tasks);
        }
    }

    /** The type as written in the definition. */
    String typeWord() {
        return type == TaskType.USER_DEFINED ? fields.text("type").orElse(type.name()) : type.name();
    }

    /** The name by which a worker knows the task: its own name, or its type if only workers know that type. */
    String workerName() {
        String word = typeWord();
        return TaskType.find(word).isPresent() ? name : word;
    }

    /** Whether the tasks inside form a scope of their own. The tasks of a fork belong to the list around the fork. */
    boolean isContainer() {
        return switch (type) {
            case SWITCH, DECISION, DO_WHILE -> true;
            default -> false;
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TaskNode that && reference.equals(that.reference) && path.equals(that.path);
    }

    @Override
    public int hashCode() {
        return Objects.hash(reference, path);
    }
}
