package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.flow.dialect.conductor.TaskNode.TaskList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One list of steps while it is compiled, forks laid out flat: who stands in it, and who ends before whom. */
final class Level {
    private final @Nullable Level outer;
    private final @Nullable TaskNode container;
    private final List<TaskNode> tasks;
    private final Map<String, Integer> positions = new HashMap<>();
    private final Map<Integer, BitSet> before = new HashMap<>();
    private BitSet current = new BitSet();

    private Level(@Nullable Level outer, @Nullable TaskNode container, List<TaskNode> tasks) {
        this.outer = outer;
        this.container = container;
        this.tasks = tasks;
    }

    static Level ofWorkflow() {
        return new Level(null, null, List.of());
    }

    /** One of the lists inside a loop or switch. */
    Level inside(TaskNode inner, TaskList list) {
        return new Level(this, inner, list.tasks());
    }

    /** The list around the container. */
    @Nullable Level outer() {
        return outer;
    }

    /** The loop or switch whose list this is; null for the workflow. */
    @Nullable TaskNode container() {
        return container;
    }

    /** Whether this is a case of a switch, and a task stands in another case of it. */
    boolean isOtherCaseThanOf(String task) {
        return container != null && container.type() != TaskType.DO_WHILE && !holds(tasks, task);
    }

    private static boolean holds(List<TaskNode> tasks, String reference) {
        return tasks.stream()
                .anyMatch(task -> task.reference().equals(reference)
                        || (!task.isContainer()
                                && task.lists().stream().anyMatch(list -> holds(list.tasks(), reference))));
    }

    /** Whether a loop stands around the list. */
    boolean isInLoop() {
        return container != null && (container.type() == TaskType.DO_WHILE || (outer != null && outer.isInLoop()));
    }

    /** The list at a number of containers from the outside. */
    Level at(int depth) {
        Level level = this;
        while (level.outer != null && level.depth() > depth) {
            level = level.outer;
        }
        return level;
    }

    int depth() {
        return outer == null ? 0 : outer.depth() + 1;
    }

    /** Whether a step of this list has been compiled. */
    boolean has(String step) {
        return positions.containsKey(step);
    }

    /** Begins a step that waits for others of this list. */
    void begin(Collection<String> needs) {
        BitSet all = new BitSet();
        for (String need : needs) {
            Integer position = positions.get(need);
            if (position != null) {
                all.set(position);
                all.or(before.getOrDefault(position, new BitSet()));
            }
        }
        current = all;
    }

    /** Ends the step that was begun last. */
    void end(String step) {
        before.put(positions.size(), current);
        positions.put(step, positions.size());
    }

    /** Stands after all steps, where the output of the list is made. */
    void finish() {
        current = new BitSet();
        current.set(0, positions.size());
    }

    /** Whether a step of this list has ended when the one that was begun last, or anything inside it, begins. */
    boolean endsBefore(String step) {
        Integer position = positions.get(step);
        return position != null && current.get(position);
    }
}
