package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.dialect.conductor.TaskNode.TaskList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compiler of lists of tasks. Each task waits for the one before it. The branches of a fork are flattened into the list
 * around the fork. Each branch begins after the fork, and the join waits for the tasks in {@code joinOn}.
 */
final class Lists {
    private final Compiling compiling;
    private final Actions actions;

    Lists(Compiling compiling) {
        this.compiling = compiling;
        this.actions = new Actions(compiling, this);
    }

    /** Compiles a list whose result is the output of its last task. */
    StepList list(List<TaskNode> tasks, Level level) {
        return list(tasks, level, Optional.empty());
    }

    /** Compiles a list with an additional first step that all tasks wait for. */
    StepList list(List<TaskNode> tasks, Level level, Optional<Step> first) {
        List<Step> steps = new ArrayList<>();
        first.ifPresent(step -> {
            level.begin(List.of());
            steps.add(step);
            level.end(step.id());
        });
        sequence(tasks, level, first.map(Step::id).stream().toList(), steps);
        level.finish();
        Optional<Template> output = tasks.isEmpty()
                ? Optional.empty()
                : lastOutput(tasks.getLast(), level).map(Template.Whole::new);
        return new StepList(steps, output);
    }

    /** The output of the last task; for a switch, that of the last task in the chosen branch. */
    private Optional<Expression> lastOutput(TaskNode task, Level level) {
        Optional<Expression> output = outputOf(task, level);
        return task.type() == TaskType.SWITCH || task.type() == TaskType.DECISION
                ? output.map(own ->
                        new FirstOutput(List.of(new Path(new Root.StepResultIfAny(task.reference()), List.of()), own)))
                : output;
    }

    /** Compiles a list whose result has the outputs of all its tasks by reference name. */
    StepList iteration(List<TaskNode> tasks, Level level) {
        List<Step> steps = steps(tasks, level);
        Map<String, Expression> outputs = new LinkedHashMap<>();
        collect(tasks, level, outputs);
        return new StepList(steps, Optional.of(new Template.Whole(new Outputs(outputs))));
    }

    /** Compiles the steps of a list and leaves {@code level} at the end of the list. */
    List<Step> steps(List<TaskNode> tasks, Level level) {
        List<Step> steps = new ArrayList<>();
        sequence(tasks, level, List.of(), steps);
        level.finish();
        return steps;
    }

    private Optional<Expression> outputOf(TaskNode task, Level level) {
        return compiling.references(task, level).find(task.reference(), "output");
    }

    private void collect(List<TaskNode> tasks, Level level, Map<String, Expression> outputs) {
        for (TaskNode task : tasks) {
            outputOf(task, level).ifPresent(output -> outputs.put(task.reference(), output));
            if (task.type() != TaskType.DO_WHILE) {
                for (TaskList inner : task.lists()) {
                    collect(inner.tasks(), level, outputs);
                }
            }
        }
    }

    private void sequence(List<TaskNode> tasks, Level level, List<String> begin, List<Step> steps) {
        TimeNotes notes = compiling.tree().timeNotes();
        List<String> needs = begin;
        for (int i = 0; i < tasks.size(); i++) {
            TaskNode task = tasks.get(i);
            Optional<TaskNode> previous = i == 0 ? Optional.empty() : Optional.of(tasks.get(i - 1));
            List<String> before = needs;
            switch (task.type()) {
                case FORK_JOIN, FORK_JOIN_DYNAMIC -> requireJoin(task, tasks, i);
                case JOIN, EXCLUSIVE_JOIN -> needs = new Joins(compiling, level).needs(task, needs);
                default -> {}
            }
            if (notes.hasBegin(task)) {
                needs = note(TimeNotes.scheduled(task), needs, level, steps);
            }
            level.begin(needs);
            steps.add(endingEarly(step(task, previous, needs, level), task, previous, before, level));
            level.end(task.reference());
            needs = List.of(task.reference());
            if (notes.hasEnd(task)) {
                needs = note(TimeNotes.ended(task), needs, level, steps);
            }
            if (task.type() == TaskType.FORK_JOIN) {
                for (TaskList branch : task.lists()) {
                    sequence(branch.tasks(), level, needs, steps);
                }
            }
        }
    }

    private static List<String> note(String id, List<String> needs, Level level, List<Step> steps) {
        level.begin(needs);
        steps.add(TimeNotes.step(id, needs));
        level.end(id);
        return List.of(id);
    }

    private Step step(TaskNode task, Optional<TaskNode> previous, List<String> needs, Level level) {
        StepPolicy policy = new TaskSettings(
                        compiling.reading(), task, compiling.definitions().applied(task))
                .policy();
        StepAction action = actions.action(task, previous, level);
        return new Step(task.reference(), needs, action, policy);
    }

    /** Lets a join with a script evaluate it each time that one of its tasks has ended. */
    private Step endingEarly(Step step, TaskNode task, Optional<TaskNode> previous, List<String> before, Level level) {
        boolean isFirstToEnd =
                step.needs().size() <= 1 && JoinTasks.dynamicFork(previous).isEmpty();
        return task.type() != TaskType.JOIN || isFirstToEnd
                ? step
                : new Step(
                        step.id(),
                        step.needs(),
                        step.action(),
                        step.policy().beginningIf(new JoinTasks(compiling, level).early(task, previous, before)));
    }

    private void requireJoin(TaskNode fork, List<TaskNode> tasks, int position) {
        if (position + 1 == tasks.size() || tasks.get(position + 1).type() != TaskType.JOIN) {
            compiling
                    .reading()
                    .problem(
                            fork.mark(),
                            fork.path(),
                            "The fork \"" + fork.reference() + "\" is not followed by a JOIN.",
                            "Put a task of the type JOIN directly after it; its joinOn may be empty.");
        }
    }
}
