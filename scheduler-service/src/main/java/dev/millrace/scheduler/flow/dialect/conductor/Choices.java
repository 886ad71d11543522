package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.conductor.TaskNode.TaskList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compiler of SWITCH and DECISION tasks, which choose the case equal to a value converted to text. A matching case
 * without tasks does nothing in a SWITCH; in a DECISION, the default case runs instead.
 */
final class Choices {
    private final Compiling compiling;
    private final Lists lists;

    Choices(Compiling compiling, Lists lists) {
        this.compiling = compiling;
        this.lists = lists;
    }

    StepAction action(TaskNode task, Level level) {
        TaskReferences references = compiling.references(task, level);
        Template value = value(compiling, task, references, true);
        Optional<Step> record = references.readsVariables() ? Optional.of(record(task, value)) : Optional.empty();
        if (record.isPresent()) {
            compiling.recordDecision(task);
        }
        List<StepAction.Case> cases = new ArrayList<>();
        Optional<StepList> otherwise = Optional.empty();
        for (int i = 0; i < task.lists().size(); i++) {
            TaskList list = task.lists().get(i);
            StepList steps = lists.list(list.tasks(), level.inside(task, list), record);
            if (i < task.lists().size() - 1) {
                if (task.type() == TaskType.DECISION && list.tasks().isEmpty()) {
                    continue;
                }
                JsonValue label = JsonValue.ofString(list.label());
                cases.add(new StepAction.Case(new StepAction.Test.Equals(new Template.Constant(label)), steps));
            } else {
                otherwise = Optional.of(steps);
            }
        }
        return new StepAction.Switch(Optional.of(value), cases, otherwise);
    }

    /**
     * The first step of each branch, which records the value of the switch. Variables may have changed when a later
     * task reads that value.
     */
    private static Step record(TaskNode task, Template value) {
        return new Step(recordId(task), List.of(), new StepAction.Compute(value), StepPolicy.NONE);
    }

    private static String recordId(TaskNode task) {
        return task.reference() + "_value";
    }

    /** The output of a SWITCH or DECISION task: from the recorded value if there is one, otherwise evaluated again. */
    static Expression output(Compiling compiling, TaskNode task, TaskReferences references) {
        Template value = compiling.recordsDecision(task)
                ? new Template.Whole(new Path(new Root.StepResultIfAny(recordId(task)), List.of()))
                : value(compiling, task, references, false);
        return new ChosenCase(Params.expression(value), task.type() == TaskType.DECISION);
    }

    private static Template value(Compiling compiling, TaskNode task, TaskReferences references, boolean reporting) {
        Params params = compiling.params(task, references);
        Optional<Expression> value = task.type() == TaskType.SWITCH
                ? ofSwitch(compiling, task, params, reporting)
                : ofDecision(compiling, task, params, reporting);
        return value.<Template>map(found -> new Template.Text(List.of(new Template.Part.Embedded(found))))
                .orElse(Template.Constant.NULL);
    }

    private static Optional<Expression> ofSwitch(Compiling compiling, TaskNode task, Params params, boolean reporting) {
        Optional<String> evaluator = required(compiling, task, "evaluatorType", Scripts.VALUE_PARAM, reporting);
        Optional<String> expression = required(compiling, task, "expression", "mode", reporting);
        if (evaluator.isEmpty() || expression.isEmpty()) {
            return Optional.empty();
        }
        if (!Scripts.EVALUATORS.contains(evaluator.get())) {
            if (reporting) {
                compiling
                        .reading()
                        .problem(
                                task.fields(),
                                "evaluatorType",
                                "The evaluator \"" + evaluator.get() + "\" is unknown.",
                                Nearest.didYouMean(evaluator.get(), Scripts.EVALUATORS) + "Use one of: "
                                        + String.join(", ", Scripts.EVALUATORS) + ".");
            }
            return Optional.empty();
        }
        return evaluator.get().equals(Scripts.VALUE_PARAM)
                ? parameter(compiling, task, "expression", expression.get(), params, reporting)
                : script(compiling, task, "expression", expression.get(), params);
    }

    private static Optional<Expression> ofDecision(
            Compiling compiling, TaskNode task, Params params, boolean reporting) {
        Optional<String> expression = task.fields().text("caseExpression").filter(text -> !text.isBlank());
        if (expression.isPresent()) {
            return script(compiling, task, "caseExpression", expression.get(), params);
        }
        return required(compiling, task, "caseValueParam", "mode", reporting)
                .flatMap(name -> parameter(compiling, task, "caseValueParam", name, params, reporting));
    }

    private static Optional<Expression> script(
            Compiling compiling, TaskNode task, String key, String source, Params params) {
        SourceNode node = task.fields().find(key).orElseThrow();
        return Optional.of(
                new Scripts(compiling.reading(), node.mark(), task.fields().path(key))
                        .javaScript(source, params, Map.of()));
    }

    private static Optional<Expression> parameter(
            Compiling compiling, TaskNode task, String key, String name, Params params, boolean reporting) {
        Optional<Expression> value = params.find(name).map(Params::expression);
        if (value.isEmpty() && reporting) {
            compiling
                    .reading()
                    .problem(
                            task.fields(),
                            key,
                            "There is no parameter \"" + name + "\".",
                            Nearest.didYouMean(name, params.names()) + "Add it to inputParameters; there are: "
                                    + String.join(", ", params.names()) + ".");
        }
        return value;
    }

    private static Optional<String> required(
            Compiling compiling, TaskNode task, String key, String example, boolean reporting) {
        Optional<String> text = task.fields().text(key).filter(found -> !found.isBlank());
        if (text.isEmpty() && reporting) {
            compiling
                    .reading()
                    .problem(
                            task.fields(),
                            key,
                            "Task \"" + task.reference() + "\" has no " + key + ".",
                            "Add it, for example \"" + key + "\": \"" + example + "\".");
        }
        return text;
    }
}
