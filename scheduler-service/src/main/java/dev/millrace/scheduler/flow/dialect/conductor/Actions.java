package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.StepAction;
import dev.millrace.scheduler.flow.dialect.conductor.Joins.Named;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Compiles what a task does. */
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
            case SIMPLE, USER_DEFINED, DYNAMIC, HTTP, KAFKA_PUBLISH -> new WorkerTasks(compiling, level).action(task);
            case INLINE, LAMBDA, JSON_JQ_TRANSFORM, SET_VARIABLE, TERMINATE ->
                new ServerTasks(compiling, level).action(task);
            case NOOP, FORK_JOIN -> NOTHING;
            case SWITCH, DECISION -> new Choices(compiling, lists).action(task, level);
            case FORK_JOIN_DYNAMIC -> new DynamicForks(compiling, level).action(task);
            case JOIN -> join(task, previous, level);
            case EXCLUSIVE_JOIN -> exclusiveJoin(task, level);
            case DO_WHILE -> new Loops(compiling, lists).action(task, level);
            case WAIT, HUMAN -> new Waits(compiling, level).action(task);
            case SUB_WORKFLOW, START_WORKFLOW -> new SubWorkflows(compiling, level).action(task);
            case EVENT -> event(task);
        };
    }

    private StepAction join(TaskNode task, Optional<TaskNode> previous, Level level) {
        for (String key : List.of("expression", "joinStatus")) {
            task.fields()
                    .find(key)
                    .filter(node -> !Reading.isEmpty(node))
                    .ifPresent(node -> compiling
                            .reading()
                            .problem(
                                    node.mark(),
                                    task.fields().path(key),
                                    "A join that ends by a script is not supported.",
                                    "Remove it; the join ends once all tasks of joinOn have ended."));
        }
        Optional<TaskNode> fork = previous.filter(before -> before.type() == TaskType.FORK_JOIN_DYNAMIC);
        if (fork.isPresent()) {
            return new StepAction.Compute(
                    new Template.Whole(new ForkedOutputs(fork.get().reference())));
        }
        Map<String, Expression> outputs = new LinkedHashMap<>();
        new Joins(compiling, level).outputs(task, "joinOn").forEach(named -> outputs.put(named.task(), named.output()));
        return new StepAction.Compute(new Template.Whole(new Outputs(outputs)));
    }

    private StepAction exclusiveJoin(TaskNode task, Level level) {
        Joins joins = new Joins(compiling, level);
        List<Expression> outputs = Stream.of("joinOn", "defaultExclusiveJoinTask")
                .flatMap(key -> joins.outputs(task, key).stream())
                .map(Named::output)
                .toList();
        return new StepAction.Compute(new Template.Whole(new FirstOutput(outputs)));
    }

    private StepAction event(TaskNode task) {
        compiling
                .reading()
                .problem(
                        task.fields(),
                        "sink",
                        "Tasks of the type EVENT are not supported, because no event queue is attached.",
                        "Publish with KAFKA_PUBLISH or HTTP, or start the workflow that listens with START_WORKFLOW.");
        return NOTHING;
    }
}
