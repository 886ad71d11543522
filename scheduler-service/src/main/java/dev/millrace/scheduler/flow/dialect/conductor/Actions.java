package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import java.util.Optional;

/** Compiler of a task's action, by the type of the task. */
final class Actions {
    private static final StepAction NOTHING = new StepAction.Compute(Template.Constant.EMPTY_OBJECT);

    private final Compiling compiling;
    private final Lists lists;

    Actions(Compiling compiling, Lists lists) {
        this.compiling = compiling;
        this.lists = lists;
    }

    StepAction action(TaskNode task, Optional<TaskNode> previous, Level level) {
        return switch (task.type()) {
            case SIMPLE, USER_DEFINED, DYNAMIC, HTTP, KAFKA_PUBLISH, EVENT -> worker(task, level);
            case HTTP_POLL -> new Polls(compiling, level).action(task);
            case INLINE, LAMBDA, JSON_JQ_TRANSFORM, SET_VARIABLE, TERMINATE ->
                new ServerTasks(compiling, level).action(task);
            case NOOP, FORK_JOIN -> NOTHING;
            case SWITCH, DECISION -> new Choices(compiling, lists).action(task, level);
            case FORK_JOIN_DYNAMIC -> new DynamicForks(compiling, level).action(task);
            case JOIN -> new JoinTasks(compiling, level).join(task, previous);
            case EXCLUSIVE_JOIN -> new JoinTasks(compiling, level).exclusive(task);
            case DO_WHILE -> new Loops(compiling, lists).action(task, level);
            case WAIT, HUMAN -> new Waits(compiling, level).action(task);
            case SUB_WORKFLOW, START_WORKFLOW -> new SubWorkflows(compiling, level).action(task);
        };
    }

    private StepAction worker(TaskNode task, Level level) {
        StepAction work = new WorkerTasks(compiling, level).action(task);
        return AsyncCompletion.applies(task)
                ? AsyncCompletion.around(task, work, new Waits(compiling, level).completion(task))
                : work;
    }
}
