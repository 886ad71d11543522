package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reader of {@code value}: the action of a module. */
final class Actions {
    /** Kinds of modules. */
    enum Kind {
        RAWSCRIPT,
        SCRIPT,
        FLOW,
        FORLOOPFLOW,
        WHILELOOPFLOW,
        BRANCHONE,
        BRANCHALL,
        IDENTITY;

        static final List<String> WORDS =
                Arrays.stream(values()).map(Kind::word).toList();

        String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        static Optional<Kind> find(String word) {
            return Arrays.stream(values())
                    .filter(kind -> kind.word().equals(word))
                    .findFirst();
        }

        boolean isTask() {
            return this == RAWSCRIPT || this == SCRIPT;
        }

        boolean isLoop() {
            return this == FORLOOPFLOW || this == WHILELOOPFLOW;
        }
    }

    /** The action of a module, with the kind of the module. */
    record Action(Kind kind, StepAction action) {}

    private static final StepAction NOTHING = new StepAction.Compute(Template.Constant.NULL);

    private final Reading reading;
    private final int nesting;
    private final Expressions expressions;

    Actions(Reading reading, int nesting, Expressions expressions) {
        this.reading = reading;
        this.nesting = nesting;
        this.expressions = expressions;
    }

    Action read(Fields module, String id) {
        Optional<SourceNode> value = module.find("value");
        if (value.isEmpty()) {
            reading.problem(
                    module.mark(),
                    module.path(),
                    "The module \"" + id + "\" has no value.",
                    "Add value with a type, for example {type: identity}.");
            return new Action(Kind.IDENTITY, NOTHING);
        }
        Fields any = reading.fields(value.get(), module.path("value"), "the value of a module", List.of());
        if (!any.isObject()) {
            return new Action(Kind.IDENTITY, NOTHING);
        }
        Optional<String> word = any.text("type");
        Optional<Kind> kind = word.flatMap(Kind::find);
        if (kind.isEmpty() && (word.isPresent() || !any.has("type"))) {
            unknownKind(any, word);
        }
        kind.filter(found -> !found.isTask() && found != Kind.FLOW)
                .ifPresent(found -> Transforms.refuse(module, found.word()));
        return kind.map(found -> new Action(found, read(found, module, value.get(), id)))
                .orElse(new Action(Kind.IDENTITY, NOTHING));
    }

    private StepAction read(Kind kind, Fields module, SourceNode value, String id) {
        return switch (kind) {
            case RAWSCRIPT, SCRIPT -> new TaskModules(reading, expressions, module, kind).read(value, id);
            case FLOW -> new SubFlows(reading, expressions).read(value, module);
            case FORLOOPFLOW, WHILELOOPFLOW -> new Loops(reading, nesting, expressions).read(kind, module, value, id);
            case BRANCHONE -> new Branches(reading, nesting, expressions).one(value, module.path("value"));
            case BRANCHALL -> new Branches(reading, nesting, expressions).all(value, module.path("value"));
            case IDENTITY -> {
                reading.fields(value, module.path("value"), "an identity", List.of("type", "flow"));
                yield new StepAction.Compute(
                        new Template.Whole(expressions.sight().previous()));
            }
        };
    }

    private void unknownKind(Fields value, Optional<String> word) {
        if (word.isEmpty()) {
            reading.problem(
                    value.mark(),
                    value.path(),
                    "The value of the module has no type.",
                    "Add type, one of: " + String.join(", ", Kind.WORDS) + ".");
            return;
        }
        reading.problem(
                value.find("type").orElseThrow().mark(),
                value.path("type"),
                "Modules of type \"" + word.get() + "\" are unknown here.",
                Nearest.didYouMean(word.get(), Kind.WORDS) + "Known types: " + String.join(", ", Kind.WORDS) + ".");
    }

    /** The value of a template without expressions; empty for any other template. */
    static Optional<JsonValue> constant(Template template) {
        return template instanceof Template.Constant constant ? Optional.of(constant.value()) : Optional.empty();
    }
}
