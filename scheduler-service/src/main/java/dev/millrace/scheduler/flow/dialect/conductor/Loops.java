package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.javascript.Binding;
import dev.millrace.scheduler.flow.core.FlowLimits;
import dev.millrace.scheduler.flow.core.StepAction;
import dev.millrace.scheduler.flow.core.StepAction.LoopOptions;
import dev.millrace.scheduler.flow.core.StepList;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Compiles tasks of the type DO_WHILE: as long as a condition holds, or over items. */
final class Loops {
    private static final String ITEMS = "items";
    private static final String KEEP = "keepLastN";

    private final Compiling compiling;
    private final Lists lists;

    Loops(Compiling compiling, Lists lists) {
        this.compiling = compiling;
        this.lists = lists;
    }

    /** Whether a loop goes through an array. */
    static boolean isOverItems(TaskNode task) {
        return task.fields().has(ITEMS) || hasParameter(task, ITEMS);
    }

    private static boolean hasParameter(TaskNode task, String name) {
        return task.fields().find("inputParameters").orElse(null) instanceof SourceNode.Mapping mapping
                && mapping.entries().stream().anyMatch(entry -> entry.key().equals(name));
    }

    StepAction action(TaskNode task, Level level) {
        return isOverItems(task) ? overItems(task, level) : whileTrue(task, level);
    }

    private StepAction overItems(TaskNode task, Level level) {
        TaskReferences references = compiling.references(task, level);
        Params params = compiling.params(task, references);
        Template items = task.fields()
                .find(ITEMS)
                .map(node -> new Values(compiling.reading(), references)
                        .template(node, task.fields().path(ITEMS)))
                .orElseGet(() -> params.find(ITEMS).orElse(Template.Constant.NULL));
        if (task.fields()
                .find("loopCondition")
                .filter(node -> !Reading.isEmpty(node))
                .isPresent()) {
            compiling
                    .reading()
                    .problem(
                            task.fields(),
                            "loopCondition",
                            "A loop over items has no loopCondition.",
                            "Keep one of the two.");
        }
        StepList body = lists.iteration(task.lists().getFirst().tasks(), level.inside(task));
        return new StepAction.ForEach(items, 1, body, false, options(task, params));
    }

    private StepAction whileTrue(TaskNode task, Level level) {
        Level inside = level.inside(task);
        StepList body = lists.iteration(task.lists().getFirst().tasks(), inside);
        Params params =
                compiling.params(task, compiling.references(task, inside).afterIteration());
        return new StepAction.While(
                condition(task, params), false, FlowLimits.LOOP_ITEMS_MAX, body, options(task, params));
    }

    /** Outputs go by the numbers of their iterations, from 1. */
    private LoopOptions options(TaskNode task, Params params) {
        Template number = new Template.Text(List.of(new Template.Part.Embedded(new IterationNumber(0))));
        return new LoopOptions(false, Optional.empty(), Optional.of(number), keep(task, params));
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
        Optional<String> condition = task.fields().text("loopCondition").filter(text -> !text.isBlank());
        if (condition.isEmpty()) {
            compiling
                    .reading()
                    .problem(
                            task.fields(),
                            "loopCondition",
                            "The loop has no loopCondition.",
                            "Add it, for example \"$." + task.reference()
                                    + ".iteration < 3\", or give it items to go through.");
            return Template.Constant.NULL;
        }
        Optional<String> evaluator = task.fields().text("evaluatorType").filter(text -> !text.isBlank());
        if (evaluator.isPresent() && evaluator.get().equals(Scripts.VALUE_PARAM)) {
            return params.find(condition.get()).orElse(Template.Constant.NULL);
        }
        SourceNode node = task.fields().find("loopCondition").orElseThrow();
        return new Template.Whole(
                new Scripts(compiling.reading(), node.mark(), task.fields().path("loopCondition"))
                        .javaScript(condition.get(), params, bindings(task)));
    }

    /** What a condition sees beside the parameters: the loop, and the outputs of its tasks in the iteration that has ended. */
    private static Map<String, Binding> bindings(TaskNode task) {
        Expression result = new Path(new Root.Result(), List.of());
        Map<String, Binding> bindings = new LinkedHashMap<>();
        for (TaskNode inner : task.lists().getFirst().tasks()) {
            note(inner, result, bindings);
        }
        bindings.put(task.reference(), new Binding.Value(new LoopAfterIteration()));
        return bindings;
    }

    private static void note(TaskNode task, Expression result, Map<String, Binding> bindings) {
        bindings.put(task.reference(), new Binding.Value(new MemberOf(result, task.reference())));
        if (task.type() != TaskType.DO_WHILE) {
            task.lists().forEach(list -> list.tasks().forEach(inner -> note(inner, result, bindings)));
        }
    }
}
