package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.javascript.Binding;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Compiler of DO_WHILE tasks: loops with a condition, and loops over items. */
final class Loops {
    private static final String ITEMS = "items";
    /** Parameter with the items, if no key of the task has them. */
    private static final String ITEMS_PARAMETER = "_items";

    private static final String CONDITION = "loopCondition";
    private static final String KEEP = "keepLastN";

    private final Compiling compiling;
    private final Lists lists;

    Loops(Compiling compiling, Lists lists) {
        this.compiling = compiling;
        this.lists = lists;
    }

    /** Whether a loop iterates over an array. */
    static boolean isOverItems(TaskNode task) {
        return hasItems(task)
                || hasParameter(task, ITEMS_PARAMETER)
                || (hasParameter(task, ITEMS) && !hasCondition(task));
    }

    private static boolean hasItems(TaskNode task) {
        return task.fields()
                .find(ITEMS)
                .filter(node ->
                        !(node instanceof SourceNode.Text text && text.text().isBlank()))
                .isPresent();
    }

    private static boolean hasCondition(TaskNode task) {
        return task.fields()
                .find(CONDITION)
                .filter(node -> !Reading.isEmpty(node))
                .isPresent();
    }

    private static boolean hasParameter(TaskNode task, String name) {
        return parameter(task, name).isPresent();
    }

    private static Optional<SourceNode> parameter(TaskNode task, String name) {
        return task.fields().find("inputParameters").flatMap(node -> node.member(name));
    }

    StepAction action(TaskNode task, Level level) {
        return isOverItems(task) ? overItems(task, level) : whileTrue(task, level);
    }

    /** Compiles a loop over items. If it also has a condition, the condition may end the loop before the last item. */
    private StepAction overItems(TaskNode task, Level level) {
        Template items = items(task, compiling.references(task, level));
        Level inside = level.inside(task, task.lists().getFirst());
        StepList body = lists.iteration(task.lists().getFirst().tasks(), inside);
        Params params = afterIteration(task, inside);
        Optional<Template> end = hasCondition(task)
                ? Optional.of(new Template.Whole(new LoopGoesOn(condition(task, params), false)))
                : Optional.empty();
        return new StepAction.ForEach(items, 1, body, false, options(task, params, end));
    }

    private Template items(TaskNode task, TaskReferences references) {
        String name = hasParameter(task, ITEMS_PARAMETER) ? ITEMS_PARAMETER : ITEMS;
        boolean isKey = hasItems(task);
        SourceNode node = (isKey ? task.fields().find(ITEMS) : parameter(task, name)).orElseThrow();
        String path =
                isKey ? task.fields().path(ITEMS) : Paths.member(task.fields().path("inputParameters"), name);
        return new Template.Whole(
                new LoopItems(Params.expression(new Values(compiling.reading(), references).template(node, path))));
    }

    private Params afterIteration(TaskNode task, Level inside) {
        return compiling.params(task, compiling.references(task, inside).afterIteration());
    }

    private StepAction whileTrue(TaskNode task, Level level) {
        Level inside = level.inside(task, task.lists().getFirst());
        StepList body = lists.iteration(task.lists().getFirst().tasks(), inside);
        Params params = afterIteration(task, inside);
        return new StepAction.While(
                new Template.Whole(new LoopGoesOn(condition(task, params), true)),
                false,
                FlowLimits.LOOP_ITEMS_MAX,
                body,
                options(task, params, Optional.empty()));
    }

    /** Options of the loop. Its outputs have the numbers of their iterations, from 1, as keys. */
    private LoopOptions options(TaskNode task, Params params, Optional<Template> end) {
        Template number = new Template.Text(List.of(new Template.Part.Embedded(new IterationNumber(0))));
        return new LoopOptions(false, end, Optional.of(number), keep(task, params));
    }

    private OptionalInt keep(TaskNode task, Params params) {
        Optional<Template> keep = params.find(KEEP);
        if (keep.isEmpty() || keep.get().equals(Template.Constant.NULL)) {
            return OptionalInt.empty();
        }
        if (keep.get() instanceof Template.Constant constant
                && constant.value().kind() == JsonValue.Kind.NUMBER
                && constant.value().isWhole()) {
            double count = Double.parseDouble(constant.value().toString());
            if (count >= 1 && count <= FlowLimits.LOOP_ITEMS_MAX) {
                return OptionalInt.of((int) count);
            }
        }
        compiling
                .reading()
                .problem(
                        task.mark(),
                        task.fields().path("inputParameters") + "." + KEEP,
                        KEEP + " is not a whole number from 1 to " + FlowLimits.LOOP_ITEMS_MAX + ".",
                        "Write how many of the last iterations the output keeps.");
        return OptionalInt.empty();
    }

    private Template condition(TaskNode task, Params params) {
        Optional<String> condition = task.fields().text(CONDITION).filter(text -> !text.isBlank());
        if (condition.isEmpty()) {
            compiling
                    .reading()
                    .problem(
                            task.fields(),
                            CONDITION,
                            "The loop has no loopCondition.",
                            "Add it, for example \"$." + task.reference()
                                    + ".iteration < 3\", or give it items to go through.");
            return Template.Constant.NULL;
        }
        Optional<String> evaluator = task.fields().text("evaluatorType").filter(text -> !text.isBlank());
        if (evaluator.isPresent() && evaluator.get().equals(Scripts.VALUE_PARAM)) {
            return params.find(condition.get()).orElse(Template.Constant.NULL);
        }
        SourceNode node = task.fields().find(CONDITION).orElseThrow();
        return new Template.Whole(
                new Scripts(compiling.reading(), node.mark(), task.fields().path(CONDITION))
                        .javaScript(condition.get(), params, bindings(task)));
    }

    /**
     * Values that a condition can read besides the parameters: the loop, and the outputs of its tasks in the iteration
     * that has just ended.
     */
    private static Map<String, Binding> bindings(TaskNode task) {
        Expression result = new Path(new Root.Result(), List.of());
        Map<String, Binding> bindings = new LinkedHashMap<>();
        for (TaskNode inner : task.lists().getFirst().tasks()) {
            note(inner, result, bindings);
        }
        boolean overItems = isOverItems(task);
        bindings.put(task.reference(), new Binding.Value(new LoopAfterIteration(overItems)));
        if (overItems) {
            bindings.put(LoopProgress.INDEX, new Binding.Value(new Path(new Root.Index(), List.of())));
            bindings.put(LoopProgress.ITEM, new Binding.Value(new Path(new Root.Item(), List.of())));
        }
        return bindings;
    }

    private static void note(TaskNode task, Expression result, Map<String, Binding> bindings) {
        bindings.put(task.reference(), new Binding.Value(new MemberOf(result, task.reference())));
        if (task.type() != TaskType.DO_WHILE) {
            task.lists().forEach(list -> list.tasks().forEach(inner -> note(inner, result, bindings)));
        }
    }
}
