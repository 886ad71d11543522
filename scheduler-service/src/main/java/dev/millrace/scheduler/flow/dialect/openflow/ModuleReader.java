package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reader of one module. */
final class ModuleReader {
    private static final String DEBOUNCING = "debouncing";
    private static final List<String> KEYS = List.of(
            "id",
            "value",
            Transforms.MANY,
            Transforms.OLD,
            "summary",
            "skip_if",
            "stop_after_if",
            "stop_after_all_iters_if",
            "sleep",
            "suspend",
            "retry",
            "timeout",
            "continue_on_error",
            "mock",
            "priority",
            "cache_ttl",
            "cache_ignore_s3_path",
            "delete_after_use",
            "delete_after_secs",
            DEBOUNCING,
            "has_on_behalf_of");
    private static final List<String> IGNORED_KEYS = List.of("has_on_behalf_of");
    private static final Pattern ID = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,99}");

    private final Reading reading;
    private final int nesting;

    ModuleReader(Reading reading, int nesting) {
        this.reading = reading;
        this.nesting = nesting;
    }

    /**
     * Reads a module, even one with problems; empty if it has no usable id.
     *
     * @param endsList whether it is the last module of its list
     */
    Optional<Module> read(SourceNode node, String path, Module previous, boolean endsList) {
        Fields fields = reading.fields(node, path, "a module", KEYS);
        fields.ignore(IGNORED_KEYS, "has no effect here.", "Remove it, or leave it for Windmill.");
        fields.refuse(
                List.of(DEBOUNCING),
                "of a single module is not supported: its jobs belong to their runs.",
                "Debounce the flow with debounce_delay_s, or take the module into a flow of its own that debounces.");
        Optional<String> id = fields.isObject() ? id(fields, previous.next()) : Optional.empty();
        return id.map(name -> module(fields, name, previous, endsList));
    }

    /** Finds the id of a module that has not been read yet. */
    static Optional<String> peekId(SourceNode node) {
        return node instanceof SourceNode.Mapping mapping
                ? mapping.entries().stream()
                        .filter(entry -> entry.key().equals("id"))
                        .map(SourceNode.Entry::value)
                        .filter(SourceNode.Text.class::isInstance)
                        .map(text -> ((SourceNode.Text) text).text())
                        .findFirst()
                : Optional.empty();
    }

    private Module module(Fields fields, String id, Module previous, boolean endsList) {
        Sight sight = previous.next();
        Expressions expressions = new Expressions(reading, sight, id);
        Optional<Template> delay = previous.fields()
                .flatMap(before ->
                        new Transforms(reading, expressions).findNumber(before, "sleep", expressions.before()));
        Actions.Action action = new Actions(reading, nesting, expressions).read(fields, id);
        StepPolicy policy = new Policies(reading, expressions, fields, action.kind()).read(delay);
        new ErrorStops(reading).check(fields, action, policy);
        warnOfSkipWithoutWork(fields, action.kind(), policy);
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(id, previous.asNeed(), action.action(), policy));
        Expression result = new Path(new Root.StepResultIfAny(id));
        Sight next = sight.next(result, Optional.empty());
        Optional<Step> wait = new Suspends(reading).read(fields, id, next.place());
        if (wait.isPresent()) {
            steps.add(wait.get());
            next = next.next(result, Optional.of(Suspends.approval(wait.get())));
        }
        if (endsList) {
            sleep(fields, id, steps.getLast().id(), next).ifPresent(steps::add);
        }
        return new Module(id, steps, next, Optional.of(fields));
    }

    /** Windmill tells a skipped module by the fact that it runs nothing, which is true of some that are not skipped. */
    private void warnOfSkipWithoutWork(Fields fields, Actions.Kind kind, StepPolicy policy) {
        boolean runsNothing = kind == Actions.Kind.IDENTITY || policy.mock().isPresent();
        if (runsNothing
                && policy.skip().isPresent()
                && (fields.has(Suspends.KEY) || !policy.stops().isEmpty())) {
            reading.warn(
                    fields.mark(),
                    fields.path(),
                    "Windmill takes a module that has a skip_if and runs nothing as skipped in any case, so that it neither waits nor"
                            + " stops early; here it does, unless skip_if is true.",
                    "Give suspend and stop_after_if to a module that runs a script.");
        }
    }

    /** The {@code sleep} of a module that ends its list: the list ends after it. */
    private Optional<Step> sleep(Fields fields, String id, String last, Sight next) {
        Expressions expressions = new Expressions(reading, next, id);
        return new Transforms(reading, expressions)
                .findNumber(fields, "sleep", expressions.before())
                .flatMap(seconds -> {
                    String own = reading.freeId(id + "_sleep");
                    reading.steps().add(own, next.place());
                    return Optional.of(new Step(own, List.of(last), new StepAction.Wait(new WaitFor.Delay(seconds))));
                });
    }

    private String nameless(Fields fields, Sight sight) {
        String id = reading.freeId("module_" + reading.modules());
        reading.steps().add(id, sight.place());
        reading.warn(
                fields.mark(),
                fields.path(),
                "The module has no id; it is called \"" + id + "\" here.",
                "Add id: " + id + ", so that it keeps that name when others are added.");
        return id;
    }

    private Optional<String> id(Fields fields, Sight sight) {
        if (!fields.has("id")) {
            return Optional.of(nameless(fields, sight));
        }
        Optional<String> id = fields.text("id");
        if (id.isEmpty()) {
            return id;
        }
        SourceNode node = fields.find("id").orElseThrow();
        if (!ID.matcher(id.get()).matches()) {
            reading.problem(
                    node.mark(),
                    fields.path("id"),
                    "\"" + id.get() + "\" is not an id.",
                    "Use at most 100 letters, digits, _ and -, and begin with a letter or _.");
            return Optional.empty();
        }
        if (!reading.steps().add(id.get(), sight.place())) {
            reading.problem(
                    node.mark(),
                    fields.path("id"),
                    "The id \"" + id.get() + "\" is taken by another module of the flow.",
                    "Give one of the two another id.");
            return Optional.empty();
        }
        return id;
    }
}
