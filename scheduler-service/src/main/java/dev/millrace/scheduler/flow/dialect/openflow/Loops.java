package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.openflow.StepIndex.StepsAt;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reader of {@code forloopflow} and {@code whileloopflow} modules. */
final class Loops {
    private static final List<String> FOR_KEYS =
            List.of("type", "modules", "iterator", "skip_failures", "parallel", "parallelism", "squash");
    private static final List<String> WHILE_KEYS =
            List.of("type", "modules", "skip_failures", "parallel", "parallelism", "squash");

    private final Reading reading;
    private final int nesting;
    private final Expressions expressions;

    Loops(Reading reading, int nesting, Expressions expressions) {
        this.reading = reading;
        this.nesting = nesting;
        this.expressions = expressions;
    }

    StepAction read(Actions.Kind kind, Fields module, SourceNode value, String id) {
        boolean counts = kind == Actions.Kind.WHILELOOPFLOW;
        Fields fields = reading.fields(value, module.path("value"), "a " + kind.word(), counts ? WHILE_KEYS : FOR_KEYS);
        Template items = counts ? Template.Constant.NULL : items(fields);
        StepsAt body = StepsAt.loop(expressions.sight().place(), id);
        Sight.Loop loop = new Sight.Loop(counts, counts ? lastId(fields) : "");
        boolean parallel = fields.bool("parallel").orElse(false);
        if (parallel) {
            module.ignore(
                    List.of("stop_after_if"),
                    "has no effect on a parallel loop, as in Windmill.",
                    "Use stop_after_all_iters_if, or set parallel: false.");
        }
        Sight first = expressions.sight().insideLoop(body, loop, parallel);
        StepList steps = new Modules(reading, nesting + 1).read(fields, "modules", first);
        LoopOptions options = new LoopOptions(
                fields.bool("skip_failures").orElse(false),
                parallel ? Optional.empty() : breakIf(module, first.last()),
                Optional.empty(),
                OptionalInt.empty());
        return counts ? whileLoop(fields, steps, options) : forEach(fields, parallel, items, steps, options);
    }

    private Template items(Fields fields) {
        if (!fields.has("iterator")) {
            reading.problem(
                    fields.mark(),
                    fields.path(),
                    "The loop has no iterator.",
                    "Add iterator with an array, for example {type: javascript, expr: flow_input.items}.");
        }
        return new Transforms(reading, expressions)
                .find(fields, "iterator", expressions.before())
                .orElse(Template.Constant.NULL);
    }

    private static String lastId(Fields fields) {
        return fields.find("modules")
                .filter(SourceNode.Sequence.class::isInstance)
                .map(node -> ((SourceNode.Sequence) node).items())
                .filter(items -> !items.isEmpty())
                .flatMap(items -> ModuleReader.peekId(items.getLast()))
                .orElse("");
    }

    private StepAction whileLoop(Fields fields, StepList steps, LoopOptions options) {
        if (fields.bool("parallel").orElse(false)) {
            reading.problem(
                    fields.find("parallel").orElseThrow().mark(),
                    fields.path("parallel"),
                    "The iterations of a whileloopflow cannot run at the same time.",
                    "Remove parallel, or use a forloopflow.");
        }
        return new StepAction.While(
                new Template.Constant(JsonValue.TRUE), false, FlowLimits.LOOP_ITEMS_MAX, steps, options);
    }

    private StepAction forEach(Fields fields, boolean parallel, Template items, StepList steps, LoopOptions options) {
        Optional<Template> most = new Transforms(reading, expressions)
                .findNumber(fields, "parallelism", expressions.before())
                .filter(_ -> parallel);
        Optional<JsonValue> constant = most.flatMap(Actions::constant);
        int number = constant.map(value -> number(fields, value)).orElse(parallel ? FlowLimits.PARALLELISM_MAX : 1);
        return new StepAction.ForEach(items, number, most.filter(_ -> constant.isEmpty()), steps, false, options);
    }

    private int number(Fields fields, JsonValue given) {
        Optional<Integer> number = Optional.of(given)
                .filter(value -> value.isWhole() && value.toString().length() <= 4)
                .map(value -> (int) Double.parseDouble(value.toString()))
                .filter(value -> value >= 1 && value <= FlowLimits.PARALLELISM_MAX);
        if (number.isEmpty()) {
            reading.problem(
                    fields.find("parallelism").orElseThrow().mark(),
                    fields.path("parallelism"),
                    "parallelism is not a whole number from 1 to " + FlowLimits.PARALLELISM_MAX + ".",
                    "Write such a number, or a transform of type javascript that computes it.");
        }
        return number.orElse(1);
    }

    /**
     * Reads the {@code stop_after_if} of a loop. It is evaluated after each iteration and can read the same names as
     * the iteration.
     */
    private Optional<Template> breakIf(Fields module, Sight end) {
        return module.find("stop_after_if").flatMap(node -> {
            Fields stop = Stops.fields(reading, node, module.path("stop_after_if"));
            stop.ignore(
                    List.of(Stops.MESSAGE, Stops.WITH_RESULT),
                    "has no effect on the iterations of a loop, as in Windmill.",
                    "Give stop_after_if with error_message to a module inside the loop, or use stop_after_all_iters_if.");
            return new Expressions(reading, end, expressions.step()).required(stop, end.afterIteration());
        });
    }
}
