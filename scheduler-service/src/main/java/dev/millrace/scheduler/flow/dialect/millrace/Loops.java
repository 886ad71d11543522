package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListKind;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Sight;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.StepDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Value;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reader of {@code for_each} and {@code while}. */
final class Loops {
    /** Key that turns failures of iterations into results. */
    static final String SKIP = "skip_failures";
    /** Keys of both kinds of loops. */
    static final List<String> KEYS = List.of("steps", "output", SKIP, "break_if", "key", "keep_last");
    /** Keys that only loops have. */
    static final List<String> OWN_KEYS = List.of(SKIP, "break_if", "key", "keep_last");
    /** Maximum number of iterations of a {@code while} without a limit. */
    private static final int ITERATIONS_MAX_DEFAULT = 1_000;

    private final StepParts parts;

    Loops(StepParts parts) {
        this.parts = parts;
    }

    StepAction.ForEach forEach(Fields fields, String id) {
        Template items = parts.template(fields, "for_each").orElse(Template.Constant.NULL);
        Optional<Template> computed = computedParallelism(fields);
        int parallelism = computed.isPresent()
                ? FlowLimits.PARALLELISM_MAX
                : fields.whole("parallelism", 1, FlowLimits.PARALLELISM_MAX).orElse(1);
        ListDraft body = TaskFields.isTask(fields) || isOfFlows(fields) ? single(fields, id) : steps(fields, id);
        StepParts ending = new StepParts(parts.reading(), 0);
        LoopOptions options = options(fields, skipFailures(fields), ending);
        StepList list = parts.add(body.endingWith(ending.references()));
        return new StepAction.ForEach(items, parallelism, computed, list, body.single(), options);
    }

    /** Reads parallelism given as an expression; empty if it is a constant. */
    private Optional<Template> computedParallelism(Fields fields) {
        return fields.find("parallelism").filter(SourceNode.Text.class::isInstance).stream()
                .flatMap(_ -> parts.template(fields, "parallelism").stream())
                .filter(template -> !(template instanceof Template.Constant))
                .findFirst();
    }

    StepAction.While repeat(Fields fields) {
        StepParts ending = new StepParts(parts.reading(), 0);
        Template condition = ending.template(fields, "while", Sight.RESULT).orElse(Template.Constant.NULL);
        boolean first = Words.read(parts.reading(), fields, "check", List.of("before", "after"), "before")
                .equals("before");
        int most = fields.whole("max_iterations", 1, FlowLimits.LOOP_ITEMS_MAX).orElse(ITERATIONS_MAX_DEFAULT);
        ListDraft body = parts.read(fields, ListKind.LOOP);
        Template skipFailures =
                new Template.Constant(fields.bool(SKIP).orElse(false) ? JsonValue.TRUE : JsonValue.FALSE);
        LoopOptions options = options(fields, skipFailures, ending);
        StepList list = parts.add(body.endingWith(ending.references()));
        return new StepAction.While(condition, first, most, list, options);
    }

    /**
     * Reads the options of a loop.
     *
     * @param ending collects the expressions evaluated at the end of an iteration
     */
    private LoopOptions options(Fields fields, Template skipFailures, StepParts ending) {
        Optional<Integer> keepLast = fields.whole("keep_last", 1, FlowLimits.LOOP_ITEMS_MAX);
        return new LoopOptions(
                skipFailures,
                ending.template(fields, "break_if", Sight.RESULT, Sight.RESULTS),
                parts.template(fields, "key", Sight.ITERATION),
                keepLast.map(OptionalInt::of).orElseGet(OptionalInt::empty));
    }

    /** Reads whether failures are skipped: true or false for all iterations, or a path from the item for each one. */
    private Template skipFailures(Fields fields) {
        Template given = parts.template(fields, SKIP, Sight.ITERATION).orElse(new Template.Constant(JsonValue.FALSE));
        boolean isKnown = given instanceof Template.Constant constant
                ? constant.value().kind() == JsonValue.Kind.BOOLEAN
                : LoopOptions.isPathFromItem(given);
        if (isKnown) {
            return given;
        }
        parts.reading()
                .problem(
                        fields.find(SKIP).orElseThrow().mark(),
                        fields.path(SKIP),
                        SKIP + " is neither true nor false nor a path from the item.",
                        "Write true or false, or a path such as ${{ item?.optional }}; compute anything else in for_each.");
        return new Template.Constant(JsonValue.FALSE);
    }

    static boolean isOfFlows(Fields fields) {
        return fields.has("for_each") && fields.has("flow");
    }

    /** Reads a body that is one task or sub-flow. Keys of a task apply to the task, not to the loop. */
    private ListDraft single(Fields fields, String id) {
        boolean task = TaskFields.isTask(fields);
        fields.refuse(
                List.of("steps", "output"),
                "cannot be combined with \""
                        + TaskFields.TARGETS.stream()
                                .filter(fields::has)
                                .findFirst()
                                .orElse("flow") + "\".",
                "Put the " + (task ? "script" : "flow") + " into a step of the loop, or remove it.");
        StepParts inside = parts.inside();
        StepAction action = task
                ? new Hooks(inside).around(new TaskFields(inside).read(fields), fields)
                : new ServerActions(inside).subFlow(fields);
        StepPolicy policy = task ? new Policies(inside).ofLoopedTask(fields) : StepPolicy.NONE;
        StepDraft step = new StepDraft(
                id, fields.mark(), fields.path(), List.of(), inside.references(), List.of(), action, policy);
        return new ListDraft(List.of(step), Value.NONE, ListKind.LOOP_OF_ONE);
    }

    private ListDraft steps(Fields fields, String id) {
        if (!fields.has("steps")) {
            parts.reading()
                    .problem(
                            fields.mark(),
                            fields.path(),
                            "Loop \"" + id + "\" has no body.",
                            "Give it one of script, handler or steps.");
            return new ListDraft(List.of(), Value.NONE, ListKind.LOOP);
        }
        return parts.read(fields, ListKind.LOOP);
    }
}
