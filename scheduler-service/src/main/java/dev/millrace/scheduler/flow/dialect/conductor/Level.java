package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.flow.dialect.conductor.TaskNode.TaskList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One list of steps during compilation, with the branches of forks flattened into it. Knows which steps it has and
 * which of them end before which others.
 */
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

    /** Makes the level of a list inside a loop or switch. */
    Level inside(TaskNode inner, TaskList list) {
        return new Level(this, inner, list.tasks());
    }

    /** The list around the container; null for the workflow. */
    @Nullable Level outer() {
        return outer;
    }

    /** The loop or switch that contains the list; null for the workflow. */
    @Nullable TaskNode container() {
        return container;
    }

    /** Whether this list is a case of a switch and the task is in another case of that switch. */
    boolean isOtherCaseThanOf(String task) {
        return container != null && container.type() != TaskType.DO_WHILE && !holds(tasks, task);
    }

    private static boolean holds(List<TaskNode> tasks, String reference) {
        return tasks.stream()
                .anyMatch(task -> task.reference().equals(reference)
                        || (!task.isContainer()
                                && task.lists().stream().anyMatch(list -> holds(list.tasks(), reference))));
    }

    /** Whether a loop is around the list, at any distance. */
    boolean isInLoop() {
        return container != null && (container.type() == TaskType.DO_WHILE || (outer != null && outer.isInLoop()));
    }

    /** The enclosing list inside {@code depth} containers; 0 is the list of the workflow. */
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

    /** Begins the compilation of a step that waits for other steps of this list. */
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

    /** Ends the compilation of the step that began last. */
    void end(String step) {
        before.put(positions.size(), current);
        positions.put(step, positions.size());
    }

    /** Moves behind all steps, to the position where the output of the list is evaluated. */
    void finish() {
        current = new BitSet();
        current.set(0, positions.size());
    }

    /** Whether a step of this list has ended when the step in compilation, or anything inside it, begins. */
    boolean endsBefore(String step) {
        Integer position = positions.get(step);
        return position != null && current.get(position);
    }
}
