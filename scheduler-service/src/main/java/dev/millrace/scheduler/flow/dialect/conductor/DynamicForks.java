package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Segment;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.FlowLimits;
import dev.millrace.scheduler.flow.core.Step;
import dev.millrace.scheduler.flow.core.StepAction;
import dev.millrace.scheduler.flow.core.StepAction.LoopOptions;
import dev.millrace.scheduler.flow.core.StepAction.TaskTarget;
import dev.millrace.scheduler.flow.core.StepList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Compiles tasks of the type FORK_JOIN_DYNAMIC: a loop over the tasks to fork, all at once. Its three forms say in different ways which
 * tasks these are; {@link ForkedTasks} works them out.
 */
final class DynamicForks {
    private final Compiling compiling;
    private final Level level;

    DynamicForks(Compiling compiling, Level level) {
        this.compiling = compiling;
        this.level = level;
    }

    StepAction action(TaskNode task) {
        Params params = compiling.params(task, compiling.references(task, level));
        Optional<Expression> forked = form(task).map(form -> new ForkedTasks(params.expression(), form));
        boolean optional = task.fields().bool("optional").orElse(false);
        LoopOptions options = new LoopOptions(
                optional, Optional.empty(), Optional.of(ofItem(ForkedTasks.REFERENCE)), OptionalInt.empty());
        boolean single = isOfOneType(task, params);
        String id = single ? task.reference() : task.reference() + "_task";
        Optional<Template> output = single ? Optional.empty() : Optional.of(new Template.Whole(new ForkedOutput(id)));
        return new StepAction.ForEach(
                forked.<Template>map(Template.Whole::new).orElse(Template.Constant.NULL),
                FlowLimits.PARALLELISM_MAX,
                new StepList(List.of(new Step(id, List.of(), body(task, params))), output),
                single,
                options);
    }

    /** Whether all tasks are workflows, or jobs whose output is their result. */
    private static boolean isOfOneType(TaskNode task, Params params) {
        boolean alike = task.fields().text("dynamicForkTasksParam").isEmpty()
                && task.fields().text("dynamicForkJoinTasksParam").isEmpty();
        return params.find("forkTaskWorkflow").isPresent()
                || (alike
                        && (params.find("forkTaskType").isEmpty()
                                || params.text("forkTaskType")
                                        .filter(TaskType.SIMPLE.name()::equals)
                                        .isPresent()));
    }

    private Optional<ForkedTasks.Form> form(TaskNode task) {
        Optional<String> tasks = task.fields().text("dynamicForkTasksParam").filter(text -> !text.isBlank());
        Optional<String> inputs =
                task.fields().text("dynamicForkTasksInputParamName").filter(text -> !text.isBlank());
        Optional<String> joined =
                task.fields().text("dynamicForkJoinTasksParam").filter(text -> !text.isBlank());
        if (tasks.isPresent() && inputs.isPresent()) {
            return Optional.of(new ForkedTasks.Form.TasksAndInputs(tasks.get(), inputs.get(), task.reference()));
        }
        if (joined.isPresent()) {
            return Optional.of(new ForkedTasks.Form.Joined(joined.get()));
        }
        if (tasks.isPresent()) {
            compiling
                    .reading()
                    .problem(
                            task.fields(),
                            "dynamicForkTasksParam",
                            "The fork says where its tasks are, but not where their inputs are.",
                            "Add dynamicForkTasksInputParamName, the parameter that holds an input for each taskReferenceName.");
            return Optional.empty();
        }
        return Optional.of(new ForkedTasks.Form.Alike(task.reference()));
    }

    private StepAction body(TaskNode task, Params params) {
        WorkerTasks workers = new WorkerTasks(compiling, level);
        Template input = ofItem(ForkedTasks.INPUT);
        if (params.find("forkTaskWorkflow").isPresent()) {
            String name = params.text("forkTaskWorkflow").orElse("");
            if (name.isEmpty()) {
                compiling
                        .reading()
                        .problem(
                                task.mark(),
                                task.fields().path("inputParameters") + ".forkTaskWorkflow",
                                "The name of a workflow cannot be worked out while the workflow runs.",
                                "Name one workflow.");
            }
            return compiling.subFlow(
                    name, input, task.mark(), task.fields().path("inputParameters") + ".forkTaskWorkflow");
        }
        return workers.task(task, target(task, params, workers), input);
    }

    private TaskTarget target(TaskNode task, Params params, WorkerTasks workers) {
        boolean alike = task.fields().text("dynamicForkTasksParam").isEmpty()
                && task.fields().text("dynamicForkJoinTasksParam").isEmpty();
        String type = params.text("forkTaskType").orElse(TaskType.SIMPLE.name());
        return alike
                        && type.equals(TaskType.SIMPLE.name())
                        && params.text("forkTaskName").isPresent()
                ? workers.target(params.text("forkTaskName").get())
                : new TaskTarget.Computed(ofItem(ForkedTasks.TARGET));
    }

    private static Template ofItem(String member) {
        return new Template.Whole(new Path(new Root.Item(), List.of(Segment.key(member, false))));
    }
}
