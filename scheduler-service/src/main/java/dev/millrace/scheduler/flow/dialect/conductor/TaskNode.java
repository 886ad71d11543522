package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.List;
import java.util.Objects;

/**
 * A task as it stands in the definition.
 *
 * @param reference its {@code taskReferenceName}, which becomes the id of its step
 * @param name that of its definition
 * @param mark where it begins
 * @param path place in the definition
 * @param fields its keys, without those that are null
 * @param lists the lists of tasks inside it
 */
record TaskNode(
        String reference, String name, TaskType type, Mark mark, String path, Fields fields, List<TaskList> lists) {
    TaskNode {
        lists = List.copyOf(lists);
    }

    /**
     * A list of tasks inside another task.
     *
     * @param label value of a case; empty for everything else
     */
    record TaskList(String label, List<TaskNode> tasks) {
        TaskList {
            tasks = List.copyOf(tasks);
        }
    }

    /** The word that stands for its type. */
    String typeWord() {
        return type == TaskType.USER_DEFINED ? fields.text("type").orElse(type.name()) : type.name();
    }

    /** What a worker knows it by: its name, or a type that is nobody's but the worker's. */
    String workerName() {
        String word = typeWord();
        return TaskType.find(word).isPresent() ? name : word;
    }

    /** Whether the tasks inside are steps of a scope of their own; those of a fork are steps of the list around it. */
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
