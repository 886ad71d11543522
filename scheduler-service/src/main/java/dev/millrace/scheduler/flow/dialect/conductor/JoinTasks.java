package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.javascript.Binding;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.conductor.Joins.Named;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Compiler of JOIN and EXCLUSIVE_JOIN tasks: their output, and when they end. */
final class JoinTasks {
    private static final List<String> EVALUATORS = List.of("js", "javascript", "graaljs");
    private static final String SCRIPT = "expression";

    private final Compiling compiling;
    private final Level level;
    private final Joins joins;

    JoinTasks(Compiling compiling, Level level) {
        this.compiling = compiling;
        this.level = level;
        this.joins = new Joins(compiling, level);
    }

    StepAction join(TaskNode task, Optional<TaskNode> previous) {
        task.fields()
                .ignore(
                        List.of("joinStatus"),
                        "has no effect here, as in the open source server of Conductor.",
                        "Remove it; the script in \"expression\" decides how a join ends.");
        Optional<String> fork = dynamicFork(previous);
        Expression tasks = fork.<Expression>map(ForkedOutputs::new).orElseGet(() -> new Outputs(outputs(task)));
        Expression outputs =
                new JoinOutput(tasks, level.isInLoop(), fork.isPresent() ? List.of() : joins.permissive(task));
        Optional<String> script = script(task);
        return new StepAction.Compute(new Template.Whole(
                script.isPresent() ? new JoinEnd(outputs, answer(task, script.get(), fork)) : outputs));
    }

    /**
     * Condition on which the join ends although some of its tasks still run; empty if it waits for all of them.
     *
     * @param before the preceding steps in its list or around its branch
     */
    Optional<Template> early(TaskNode task, Optional<TaskNode> previous, List<String> before) {
        Optional<String> fork = dynamicFork(previous);
        return script(task)
                .filter(_ -> before.size() == 1)
                .map(script -> new Template.Whole(
                        new JoinReady(before.getFirst(), fork.isPresent(), answer(task, script, fork))));
    }

    /** Whether a script decides how a task ends. */
    static boolean hasScript(TaskNode task) {
        return task.type() == TaskType.JOIN && script(task).isPresent();
    }

    private static Optional<String> script(TaskNode task) {
        return task.fields().text(SCRIPT).filter(text -> !text.isBlank());
    }

    /** The dynamic fork directly before a join. */
    static Optional<String> dynamicFork(Optional<TaskNode> previous) {
        return previous.filter(before -> before.type() == TaskType.FORK_JOIN_DYNAMIC)
                .map(TaskNode::reference);
    }

    StepAction exclusive(TaskNode task) {
        List<Expression> outputs = Stream.of("joinOn", "defaultExclusiveJoinTask")
                .flatMap(key -> joins.outputs(task, key).stream())
                .map(Named::output)
                .toList();
        return new StepAction.Compute(new Template.Whole(new FirstOutput(outputs)));
    }

    private Map<String, Expression> outputs(TaskNode task) {
        Map<String, Expression> outputs = new LinkedHashMap<>();
        joins.outputs(task, "joinOn").forEach(named -> outputs.put(named.task(), named.output()));
        return outputs;
    }

    /** Compiles the script, which reads the parameters, {@code joinOn}, and each task with its status and output. */
    private Expression answer(TaskNode task, String script, Optional<String> fork) {
        checkEvaluator(task);
        Params params = compiling.params(task, compiling.references(task, level));
        SourceNode node = task.fields().find(SCRIPT).orElseThrow();
        Scripts scripts =
                new Scripts(compiling.reading(), node.mark(), task.fields().path(SCRIPT));
        return fork.isPresent()
                ? scripts.javaScript(script, params.scriptNames(new ForkedStates(fork.get())))
                : scripts.javaScript(script, params, states(task));
    }

    private Map<String, Binding> states(TaskNode task) {
        Map<String, Binding> states = new LinkedHashMap<>();
        List<JsonValue> names = new ArrayList<>();
        TaskReferences references = compiling.references(task, level);
        outputs(task).forEach((name, output) -> {
            names.add(JsonValue.ofString(name));
            references
                    .find(name, "status")
                    .ifPresent(status -> states.put(
                            name,
                            new Binding.Members(Map.of(
                                    "status",
                                    new Binding.Value(new StatusSoFar(joins.step(name), status)),
                                    "outputData",
                                    new Binding.Value(new FirstOutput(List.of(output)))))));
        });
        states.put("joinOn", new Binding.Value(Composed.constant(JsonObjects.array(names))));
        return states;
    }

    private void checkEvaluator(TaskNode task) {
        Optional<String> evaluator = task.fields().text("evaluatorType").filter(text -> !text.isBlank());
        if (evaluator.isPresent() && !EVALUATORS.contains(evaluator.get())) {
            compiling
                    .reading()
                    .problem(
                            task.fields(),
                            "evaluatorType",
                            "The evaluator \"" + evaluator.get() + "\" cannot end a join.",
                            Nearest.didYouMean(evaluator.get(), EVALUATORS) + "Use one of: "
                                    + String.join(", ", EVALUATORS) + ".");
        }
    }
}
