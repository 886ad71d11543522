package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.dialect.conductor.TaskTree.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The dynamic forks of a workflow as seen from one of its task lists: which of them have run by then, and with which
 * outputs.
 */
final class DynamicallyForked {
    /** Reference names that Conductor generates for tasks that are alike. */
    private static final Pattern NUMBERED = Pattern.compile("_.+_[0-9]+");

    private final Compiling compiling;
    private final Level level;

    DynamicallyForked(Compiling compiling, Level level) {
        this.compiling = compiling;
        this.level = level;
    }

    /**
     * Finds the output or status of a task that a dynamic fork may have created; empty if no fork can have created it.
     */
    Optional<Expression> find(String reference, boolean status) {
        List<String> forks = new ArrayList<>();
        for (Place fork : compiling.tree().dynamicForks().reversed()) {
            boolean isReadable = loops(fork).isEmpty() && hasEnded(fork);
            if (isReadable && mayMake(fork.task(), reference)) {
                forks.add(fork.task().reference());
            }
        }
        return forks.isEmpty() ? Optional.empty() : Optional.of(new ForkedMember(forks, reference, status));
    }

    private static boolean mayMake(TaskNode fork, String reference) {
        return !DynamicForks.isAlike(fork) || NUMBERED.matcher(reference).matches();
    }

    /** Makes an expression that tells whether this fork or another dynamic fork of the workflow ran before. */
    Expression earlier(TaskNode fork) {
        List<Expression> ran = new ArrayList<>();
        for (Place other : compiling.tree().dynamicForks()) {
            if (other.task().equals(fork)) {
                break;
            }
            if (!hasEnded(other)) {
                warnIfBeside(other, fork);
            } else if (other.containers().size() == TaskReferences.shared(other, level)) {
                return Composed.constant(JsonValue.TRUE);
            } else {
                ran.add(ran(other));
            }
        }
        int loops = 0;
        boolean conditional = false;
        for (Level around = level; around != null; around = around.outer()) {
            TaskNode container = around.container();
            boolean isLoop = container != null && container.type() == TaskType.DO_WHILE;
            loops += isLoop ? 1 : 0;
            if (isLoop && conditional) {
                warn(
                        fork,
                        "from the second iteration on, they contain its name, even if it did not run in an earlier iteration");
            }
            conditional |= container != null && !isLoop;
        }
        return new EarlierFork(loops, ran);
    }

    /** Warns if two forks may run at the same time. Forks in different cases of a switch never do. */
    private void warnIfBeside(Place other, TaskNode fork) {
        if (level.at(TaskReferences.shared(other, level)).has(TaskReferences.visibleStep(other, level))) {
            warn(fork, "it depends on timing whether \"" + other.task().reference() + "\" has begun by then");
        }
    }

    private void warn(TaskNode fork, String why) {
        compiling
                .reading()
                .warn(
                        fork.mark(),
                        fork.path(),
                        "The names of the tasks of \"" + fork.reference() + "\" may differ from those in Conductor: "
                                + why + ".",
                        "Read the outputs from the join without naming the tasks, or give the tasks names of their own"
                                + " with dynamicForkTasksParam.");
    }

    private boolean hasEnded(Place fork) {
        return level.at(TaskReferences.shared(fork, level)).endsBefore(TaskReferences.visibleStep(fork, level));
    }

    /** The loops around a fork that are not also around this list. */
    private List<TaskNode> loops(Place fork) {
        return fork.containers().stream()
                .skip(TaskReferences.shared(fork, level))
                .filter(container -> container.type() == TaskType.DO_WHILE)
                .toList();
    }

    private Expression ran(Place fork) {
        String name = fork.task().reference();
        List<TaskNode> loops = loops(fork);
        if (loops.isEmpty()) {
            return new TaskOutput(name, Shape.NOTHING, true);
        }
        List<String> names = new ArrayList<>();
        loops.stream().skip(1).forEach(loop -> names.add(loop.reference()));
        names.add(name);
        return new RanInLoop(new LoopOutput(loops.getFirst().reference()), names);
    }
}
