package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.jq.JqQuery;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.queue.core.EndStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compiler of the tasks that need no worker. */
final class ServerTasks {
    private static final List<String> STATUSES = List.of("COMPLETED", "FAILED", "TERMINATED");

    private final Compiling compiling;
    private final Level level;

    ServerTasks(Compiling compiling, Level level) {
        this.compiling = compiling;
        this.level = level;
    }

    StepAction action(TaskNode task) {
        Params params = compiling.params(task, compiling.references(task, level));
        return switch (task.type()) {
            case INLINE -> inline(task, params);
            case LAMBDA -> lambda(task, params);
            case JSON_JQ_TRANSFORM -> jq(task, params);
            case SET_VARIABLE -> new StepAction.SetVariables(params.template());
            case TERMINATE -> terminate(task, params);
            default -> throw new IllegalArgumentException(task.type() + " is no task of the server");
        };
    }

    private StepAction inline(TaskNode task, Params params) {
        if (isComputed(params, "evaluatorType") || isComputed(params, "expression")) {
            return computed(task, params);
        }
        String evaluator = evaluator(task, params);
        Optional<String> text = text(task, params, "expression", "$.value * 2");
        if (text.isEmpty()) {
            return compute(Composed.constant(JsonValue.NULL));
        }
        String expression = text.get();
        if (!Scripts.EVALUATORS.contains(evaluator)) {
            unknownEvaluator(task, evaluator, task.fields().path("inputParameters") + ".evaluatorType");
            return compute(Composed.constant(JsonValue.NULL));
        }
        if (evaluator.equals(Scripts.VALUE_PARAM)) {
            return compute(params.find(expression)
                    .map(Params::expression)
                    .orElseGet(() -> unknownParam(task, expression, params)));
        }
        return compute(scripts(task, "expression").javaScript(expression, params, Map.of()));
    }

    private String evaluator(TaskNode task, Params params) {
        return params.find("evaluatorType").isPresent() || task.fields().has("evaluatorType")
                ? text(task, params, "evaluatorType", TaskValue.DEFAULT_EVALUATOR)
                        .orElse(Scripts.VALUE_PARAM)
                : TaskValue.DEFAULT_EVALUATOR;
    }

    private StepAction lambda(TaskNode task, Params params) {
        if (isComputed(params, "scriptExpression")) {
            return computed(task, params);
        }
        String script = text(task, params, "scriptExpression", "return {sum: $.a + $.b};")
                .orElse("null");
        return compute(scripts(task, "scriptExpression").javaScript(script, params, Map.of()));
    }

    /** Whether a parameter contains expressions. */
    private static boolean isComputed(Params params, String key) {
        return params.find(key)
                .filter(template -> !(template instanceof Template.Constant))
                .isPresent();
    }

    /**
     * Compiles a task whose script or query contains expressions: it is parsed at run time, with their values inserted.
     */
    private static StepAction computed(TaskNode task, Params params) {
        return new StepAction.Compute(new Template.Whole(new TaskValue(task.type(), params.expression())));
    }

    private static StepAction compute(Expression result) {
        return new StepAction.Compute(Template.object(Map.of("result", new Template.Whole(result))));
    }

    private StepAction jq(TaskNode task, Params params) {
        if (isComputed(params, "queryExpression")) {
            return computed(task, params);
        }
        String query =
                text(task, params, "queryExpression", ".items | map(.id)").orElse(".");
        return new StepAction.Compute(
                new Template.Whole(scripts(task, "queryExpression").read(JqQuery.read(query, params.expression()))));
    }

    private Scripts scripts(TaskNode task, String key) {
        return new Scripts(compiling.reading(), task.mark(), task.fields().path("inputParameters") + "." + key);
    }

    /**
     * Reads a text without expressions from the parameters or, because some definitions have it there, from the task
     * itself.
     */
    private Optional<String> text(TaskNode task, Params params, String key, String example) {
        Optional<String> inside = params.text(key);
        Optional<String> text = inside.isPresent() || !task.type().takes(key)
                ? inside
                : task.fields().text(key);
        if (text.isEmpty()) {
            boolean computed = isComputed(params, key);
            compiling
                    .reading()
                    .problem(
                            task.mark(),
                            task.fields().path("inputParameters") + "." + key,
                            computed
                                    ? "\"" + key + "\" contains an expression."
                                    : "Task \"" + task.reference() + "\" has no " + key + ".",
                            computed
                                    ? "Write it out; $${ stands for the characters ${."
                                    : "Add it to inputParameters, for example \"" + example + "\".");
        }
        return text;
    }

    private void unknownEvaluator(TaskNode task, String evaluator, String path) {
        compiling
                .reading()
                .problem(
                        task.mark(),
                        path,
                        "The evaluator \"" + evaluator + "\" is unknown.",
                        Nearest.didYouMean(evaluator, Scripts.EVALUATORS) + "Use one of: "
                                + String.join(", ", Scripts.EVALUATORS) + ".");
    }

    private Expression unknownParam(TaskNode task, String name, Params params) {
        compiling
                .reading()
                .problem(
                        task.mark(),
                        task.fields().path("inputParameters") + ".expression",
                        "There is no parameter \"" + name + "\".",
                        Nearest.didYouMean(name, params.names()) + "There are: " + String.join(", ", params.names())
                                + ".");
        return Composed.constant(JsonValue.NULL);
    }

    private StepAction terminate(TaskNode task, Params params) {
        if (task.fields().bool("optional").orElse(false)) {
            compiling
                    .reading()
                    .problem(
                            task.fields(),
                            "optional",
                            "A task of the type TERMINATE cannot be optional.",
                            "Remove it.");
        }
        String status = text(task, params, "terminationStatus", "COMPLETED").orElse("COMPLETED");
        if (!STATUSES.contains(status)) {
            compiling
                    .reading()
                    .problem(
                            task.mark(),
                            task.fields().path("inputParameters") + ".terminationStatus",
                            "terminationStatus is \"" + status + "\" (expected: " + String.join(", ", STATUSES) + ").",
                            Nearest.didYouMean(status, STATUSES) + "Write one of them.");
        }
        Template output = params.find("workflowOutput").orElse(Template.Constant.EMPTY_OBJECT);
        Template reason = params.find("terminationReason")
                .orElse(new Template.Constant(
                        JsonValue.ofString("Task \"" + task.reference() + "\" ended the workflow.")));
        return new StepAction.Terminate(
                switch (status) {
                    case "FAILED" -> EndStatus.FAILED;
                    case "TERMINATED" -> EndStatus.CANCELED;
                    default -> EndStatus.SUCCEEDED;
                },
                new Template.Whole(new WorkflowOutput(Params.expression(output))),
                reason);
    }
}
