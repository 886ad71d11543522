package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Segment;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Compiler of FORK_JOIN_DYNAMIC tasks into a loop that runs all forked tasks at once. The type has three forms with
 * different ways to list the tasks; {@link ForkedTasks} evaluates them.
 */
final class DynamicForks {
    private static final String WORKFLOW = ForkedTasks.WORKFLOW;
    private static final String TYPE = "forkTaskType";

    private final Compiling compiling;
    private final Level level;

    DynamicForks(Compiling compiling, Level level) {
        this.compiling = compiling;
        this.level = level;
    }

    StepAction action(TaskNode task) {
        Params params = compiling.params(task, compiling.references(task, level));
        Map<String, String> scripts = compiling.namedScripts();
        JsonValue definitions = compiling.definitions().section();
        Optional<Expression> forked =
                form(task).map(form -> new ForkedTasks(params.expression(), form, scripts, definitions));
        LoopOptions options = new LoopOptions(
                skipFailures(task), Optional.empty(), Optional.of(ofItem(ForkedTask.REFERENCE)), OptionalInt.empty());
        StepAction body = body(task, params);
        boolean isSubFlow = body instanceof StepAction.SubFlow;
        boolean single = !isSubFlow && isOfOneType(task, params);
        String id = single ? task.reference() : task.reference() + "_task";
        Expression output = isSubFlow ? new SubWorkflowOutput(id, false) : new ForkedOutput(id);
        return new StepAction.ForEach(
                forked.<Template>map(Template.Whole::new).orElse(Template.Constant.NULL),
                FlowLimits.PARALLELISM_MAX,
                new StepList(
                        List.of(new Step(id, List.of(), body)),
                        single ? Optional.empty() : Optional.of(new Template.Whole(output))),
                single,
                options);
    }

    /**
     * Condition on which the loop tolerates a failure. An optional fork tolerates every failure; any other fork, only
     * those of optional tasks. Tasks that are alike cannot be optional one by one.
     */
    private static Template skipFailures(TaskNode task) {
        boolean optional = task.fields().bool("optional").orElse(false);
        return optional || isAlike(task)
                ? new Template.Constant(optional ? JsonValue.TRUE : JsonValue.FALSE)
                : ofItemIfAny(ForkedTask.OPTIONAL);
    }

    /** Whether all tasks run one workflow or are jobs, so that their result is their output. */
    private static boolean isOfOneType(TaskNode task, Params params) {
        return isOfOneWorkflow(task, params)
                || (isAlike(task)
                        && type(params).filter(TaskType.SIMPLE.name()::equals).isPresent());
    }

    private static boolean isOfOneWorkflow(TaskNode task, Params params) {
        return isAlike(task) && params.find(WORKFLOW).isPresent();
    }

    /** Kinds that the tasks of the fork may have. */
    private static List<ForkedKind> kinds(TaskNode task, Params params) {
        List<ForkedKind> known = isAlike(task)
                ? type(params).flatMap(TaskType::find).map(ForkedKind::of).orElse(List.of())
                : List.of();
        return known.isEmpty() ? ForkedKind.ALL : known;
    }

    /** The type of tasks that are alike; empty if an expression computes it. */
    private static Optional<String> type(Params params) {
        return params.find(TYPE).isPresent() ? params.text(TYPE) : Optional.of(TaskType.SIMPLE.name());
    }

    static boolean isAlike(TaskNode task) {
        return task.fields().text("dynamicForkTasksParam").isEmpty()
                && task.fields().text("dynamicForkJoinTasksParam").isEmpty();
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
        return Optional.of(
                new ForkedTasks.Form.Alike(task.reference(), new DynamicallyForked(compiling, level).earlier(task)));
    }

    private StepAction body(TaskNode task, Params params) {
        if (isOfOneWorkflow(task, params)) {
            return workflow(task, params);
        }
        List<ForkedKind> kinds = kinds(task, params);
        return kinds.size() == 1 ? action(kinds.getFirst(), task, params) : choice(kinds, task, params);
    }

    private StepAction workflow(TaskNode task, Params params) {
        Template version = params.find(ForkedTasks.WORKFLOW_VERSION).orElse(Template.Constant.NULL);
        if (!(params.find(WORKFLOW).orElseThrow() instanceof Template.Constant)
                || !(version instanceof Template.Constant(JsonValue number))) {
            return action(ForkedKind.CHILD, task, params);
        }
        String path = task.fields().path("inputParameters") + "." + WORKFLOW;
        String name = params.text(WORKFLOW).orElse("");
        if (name.isBlank()) {
            compiling
                    .reading()
                    .problem(
                            task.mark(),
                            path,
                            "The fork does not name the workflow that all its tasks run.",
                            "Write the name of a deployed workflow, or remove forkTaskWorkflow.");
        }
        return compiling.subFlow(versioned(task, name, number), ofItem(ForkedTask.INPUT), task.mark(), path);
    }

    private String versioned(TaskNode task, String name, JsonValue version) {
        try {
            return WorkflowNames.path(name, version);
        } catch (EvaluationFailed noNumber) {
            compiling
                    .reading()
                    .problem(
                            task.mark(),
                            task.fields().path("inputParameters") + "." + ForkedTasks.WORKFLOW_VERSION,
                            noNumber.sentence(),
                            "Write the number of a version.");
            return WorkflowNames.path(name);
        }
    }

    /** Makes one branch for each kind of task. Jobs, if possible, take the default branch. */
    private StepAction choice(List<ForkedKind> kinds, TaskNode task, Params params) {
        ForkedKind otherwise = kinds.contains(ForkedKind.JOB) ? ForkedKind.JOB : kinds.getLast();
        List<StepAction.Case> cases = new ArrayList<>();
        for (ForkedKind kind : kinds) {
            if (kind != otherwise) {
                cases.add(new StepAction.Case(
                        new StepAction.Test.Equals(new Template.Constant(kind.word())), branch(kind, task, params)));
            }
        }
        Expression kind = new MemberOf(new Path(new Root.Item(), List.of()), ForkedTask.KIND);
        return new StepAction.Switch(
                Optional.of(new Template.Whole(kind)), cases, Optional.of(branch(otherwise, task, params)));
    }

    private StepList branch(ForkedKind kind, TaskNode task, Params params) {
        String id = task.reference() + "_" + kind.word().string();
        return new StepList(List.of(new Step(id, List.of(), action(kind, task, params))), Optional.empty());
    }

    private StepAction action(ForkedKind kind, TaskNode task, Params params) {
        Template input = ofItem(ForkedTask.INPUT);
        WorkerTasks workers = new WorkerTasks(compiling, level);
        return switch (kind) {
            case JOB -> job(workers.task(task, target(task, params, workers), new Template.Whole(new ForkedInput())));
            case VALUE -> new StepAction.Compute(new Template.Whole(new ForkedValue()));
            case VARIABLES -> new StepAction.SetVariables(input);
            case START -> new StepAction.StartRun(ofItem(ForkedTask.TARGET), input);
            case CHILD -> new StepAction.ChildRun(ofItem(ForkedTask.TARGET), input, Optional.of(SubWorkflowOutput.ID));
            case DELAY -> new StepAction.Wait(new WaitFor.Delay(ofInput(Waits.DURATION)));
            case MOMENT -> new StepAction.Wait(new WaitFor.Until(ofInput(Waits.UNTIL)));
            case SIGNAL -> new Waits(compiling, level).forkedSignal(item(ForkedTask.REFERENCE));
            case HUMAN ->
                new Waits(compiling, level).forkedHuman(item(ForkedTask.REFERENCE), ofItem(ForkedTask.TARGET), input);
        };
    }

    private static StepAction.Task job(StepAction.Task task) {
        return new StepAction.Task(
                task.target(),
                task.input(),
                task.options().overriddenBy(Optional.of(ofItemIfAny(ForkedTask.OVERRIDES))));
    }

    private static TaskTarget target(TaskNode task, Params params, WorkerTasks workers) {
        boolean hasOneName =
                isOfOneType(task, params) && params.text("forkTaskName").isPresent();
        return hasOneName
                ? workers.target(params.text("forkTaskName").get())
                : new TaskTarget.Computed(ofItem(ForkedTask.TARGET));
    }

    private static Template ofItem(String member) {
        return new Template.Whole(item(member));
    }

    /** Reads a member that may be absent from a task. */
    private static Template ofItemIfAny(String member) {
        return new Template.Whole(new Path(new Root.Item(), List.of(Segment.key(member, true))));
    }

    private static Template ofInput(String member) {
        return new Template.Whole(item(ForkedTask.INPUT, member));
    }

    private static Expression item(String... members) {
        return new Path(
                new Root.Item(),
                Stream.of(members).map(member -> Segment.key(member, false)).toList());
    }
}
