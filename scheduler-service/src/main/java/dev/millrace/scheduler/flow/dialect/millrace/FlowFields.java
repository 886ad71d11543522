package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FailureFlow;
import dev.millrace.scheduler.flow.core.definition.FailureFlow.Given;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.FlowOptions.Callers;
import dev.millrace.scheduler.flow.core.definition.FlowOptions.Concurrency;
import dev.millrace.scheduler.flow.core.definition.FlowOptions.Debounce;
import dev.millrace.scheduler.flow.core.definition.FlowOptions.Undeclared;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.flow.dialect.Schemas;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListKind;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Reference;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.StepDraft;
import dev.millrace.scheduler.queue.core.JobLimit.Rate;
import dev.millrace.scheduler.queue.core.JobOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Reader of the settings of a flow. */
final class FlowFields {
    static final String ENV = "env";
    static final String OPEN_INPUTS = "open_inputs";
    static final String IGNORE_UNDECLARED = "ignore_undeclared";
    /** Scripts that only a {@code target} expression names. */
    static final String SCRIPTS = "scripts";

    private static final String SCHEDULES = "schedules";
    private static final String WEBHOOKS = "webhooks";
    private static final String ON = "on";
    private static final String POSTGRES = "postgres";
    private static final String KAFKA = "kafka";
    private static final String MQTT = "mqtt";
    /** Sections that declare what starts runs. */
    private static final List<String> TRIGGERS = List.of(SCHEDULES, WEBHOOKS, ON, POSTGRES, KAFKA, MQTT);

    static final List<String> KEYS = List.of(
            "input_schema",
            OPEN_INPUTS,
            IGNORE_UNDECLARED,
            "variables",
            ENV,
            "timeout",
            "priority",
            "concurrency",
            CacheFields.KEY,
            "on_failure",
            "failure_flow",
            "early_return",
            "debounce",
            Policies.SAME_WORKER,
            SCRIPTS,
            SCHEDULES,
            WEBHOOKS,
            ON,
            POSTGRES,
            KAFKA,
            MQTT);

    private static final List<String> CONCURRENCY_KEYS = List.of("max", "rate", "key");
    private static final List<String> DEBOUNCE_KEYS = List.of("delay", "key", "max_delay", "accumulate");
    /** Longest time for which a run waits for further submissions. */
    private static final Duration DEBOUNCE_MAX = Duration.ofDays(1);

    private static final List<String> HANDLER_KEYS = List.of("steps", "output", "recovers");
    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*(@[0-9]{1,9})?");

    private final StepParts parts;

    FlowFields(Reading reading) {
        this.parts = new StepParts(reading, 0);
    }

    static boolean isPath(String text) {
        return PATH.matcher(text).matches();
    }

    StepParts parts() {
        return parts;
    }

    /** Expressions in the settings, which can read only inputs. */
    List<Reference> references() {
        return parts.references();
    }

    FlowOptions read(Fields fields, ListDraft steps, Optional<Handler> onFailure) {
        fields.texts(SCRIPTS).forEach(parts.reading()::useScript);
        return FlowOptions.NONE
                .change()
                .variables(constant(fields, "variables").orElse(JsonValue.EMPTY_OBJECT))
                .onFailure(onFailure.map(handler -> handler.steps().list()))
                .failureFlow(failureFlow(fields))
                .timeout(fields.duration("timeout", Duration.ofMillis(1), JobOptions.TIMEOUT_LIMIT))
                .priority(fields.whole("priority", JobOptions.PRIORITY_MIN, JobOptions.PRIORITY_MAX)
                        .orElse(0))
                .concurrency(concurrency(fields))
                .inputSchema(inputSchema(fields))
                .undeclared(undeclared(fields))
                .cache(CacheFields.read(parts, fields))
                .callers(new Callers(earlyReturn(fields, steps), debounce(fields)))
                .sameWorker(fields.bool(Policies.SAME_WORKER).orElse(false))
                .env(constant(fields, ENV).orElse(JsonValue.EMPTY_OBJECT))
                .recovers(onFailure.flatMap(Handler::recovers))
                .triggers(triggers(fields))
                .build();
    }

    /** Only a deployment reads what the sections say, because each kind of trigger has fields of its own. */
    private JsonValue triggers(Fields fields) {
        Map<String, JsonValue> sections = new LinkedHashMap<>();
        TRIGGERS.forEach(section -> constant(fields, section).ifPresent(value -> sections.put(section, value)));
        return JsonValue.ofMembers(sections);
    }

    private static Undeclared undeclared(Fields fields) {
        boolean open = fields.bool(OPEN_INPUTS).orElse(fields.has("input_schema"));
        if (fields.bool(IGNORE_UNDECLARED).orElse(false)) {
            fields.refuse(
                    List.of(OPEN_INPUTS),
                    "cannot be combined with \"" + IGNORE_UNDECLARED + "\".",
                    "Keep one of the two.");
            return Undeclared.IGNORED;
        }
        return open ? Undeclared.KEPT : Undeclared.REFUSED;
    }

    /**
     * Steps that run after a failure of the flow.
     *
     * @param recovers condition on which the run succeeds despite the failure
     */
    record Handler(ListDraft steps, Optional<Template> recovers) {}

    /** Reads the steps that run after a failure of the flow. */
    static Optional<Handler> onFailure(StepParts parts, Fields flow) {
        if (!flow.has("on_failure")) {
            return Optional.empty();
        }
        Fields fields = parts.object(flow, "on_failure", "on_failure of a flow", HANDLER_KEYS);
        StepParts ending = new StepParts(parts.reading(), 0);
        Optional<Template> recovers = ending.template(fields, "recovers");
        return Optional.of(new Handler(parts.read(fields, ListKind.FAILURE).endingWith(ending.references()), recovers));
    }

    /** Reads the path of the failure flow, or an object that also selects the input of that flow. */
    private Optional<FailureFlow> failureFlow(Fields flow) {
        if (!(flow.find("failure_flow").orElse(null) instanceof SourceNode.Mapping)) {
            return failurePath(flow, "failure_flow").map(path -> new FailureFlow(path, Given.FAILURE));
        }
        Fields fields = parts.object(flow, "failure_flow", "failure_flow", List.of("flow", "given"));
        parts.require(fields, "flow", "failure_flow has no flow.", "Add flow with the path of a deployed flow.");
        String given = Words.read(parts.reading(), fields, "given", List.of("failure", "input"), "failure");
        return failurePath(fields, "flow")
                .map(path -> new FailureFlow(path, Given.valueOf(given.toUpperCase(Locale.ROOT))));
    }

    /** Reads a path that may be computed, though only as plainly as a lane may compute it when the run ends. */
    private Optional<Template> failurePath(Fields fields, String key) {
        Optional<Template> path = parts.template(fields, key);
        if (path.isEmpty() || path.get() instanceof Template.Constant) {
            return path(fields, key).map(text -> new Template.Constant(JsonValue.ofString(text)));
        }
        if (!path.get().isPlain()) {
            parts.reading()
                    .problem(
                            fields.find(key).orElseThrow().mark(),
                            fields.path(key),
                            "The path of a failure flow can read inputs, but computes nothing else.",
                            "Write plain expressions, such as tidy/${{ inputs.name }}, or compute the path in a step of"
                                    + " on_failure that starts the flow.");
            return Optional.empty();
        }
        return path;
    }

    private Optional<Concurrency> concurrency(Fields flow) {
        if (!flow.has("concurrency")) {
            return Optional.empty();
        }
        Fields fields = parts.object(flow, "concurrency", "concurrency", CONCURRENCY_KEYS);
        if (!fields.has("rate")) {
            parts.require(
                    fields,
                    "max",
                    "concurrency has neither max nor rate.",
                    "Add max, the maximum number of concurrent runs, or rate, for example rate: {count: 10, per: 1m}.");
        }
        Template key = parts.template(fields, "key").orElse(new Template.Constant(JsonValue.ofString("")));
        Optional<Integer> max = fields.whole("max", 1, Integer.MAX_VALUE);
        Optional<Rate> rate = LimitFields.rate(parts, fields, "runs");
        return max.isEmpty() && rate.isEmpty()
                ? Optional.empty()
                : Optional.of(new Concurrency(max.map(OptionalInt::of).orElse(OptionalInt.empty()), rate, key));
    }

    private Optional<String> earlyReturn(Fields fields, ListDraft steps) {
        Optional<String> id = fields.text("early_return");
        List<String> ids = steps.steps().stream().map(StepDraft::id).toList();
        if (id.isPresent() && !ids.contains(id.get())) {
            parts.reading()
                    .problem(
                            fields.find("early_return").orElseThrow().mark(),
                            fields.path("early_return"),
                            "The flow has no step \"" + id.get() + "\" to return early.",
                            Nearest.didYouMean(id.get(), ids)
                                    + "Name a step of the flow's own list, outside of any other.");
        }
        return id;
    }

    private Optional<Debounce> debounce(Fields flow) {
        if (!flow.has("debounce")) {
            return Optional.empty();
        }
        Fields fields = parts.object(flow, "debounce", "debounce", DEBOUNCE_KEYS);
        parts.require(fields, "delay", "debounce has no delay.", "Add delay, for example delay: 5s.");
        Template key = parts.template(fields, "key").orElse(new Template.Constant(JsonValue.ofString("")));
        Optional<Duration> delayMax = fields.duration("max_delay", Duration.ofMillis(1), DEBOUNCE_MAX);
        return fields.duration("delay", Duration.ofMillis(1), DEBOUNCE_MAX)
                .map(delay -> new Debounce(delay, key, delayMax, fields.texts("accumulate")));
    }

    private Optional<String> path(Fields fields, String key) {
        Optional<String> path = fields.text(key);
        if (path.isPresent() && !isPath(path.get())) {
            parts.reading()
                    .problem(
                            fields.find(key).orElseThrow().mark(),
                            fields.path(key),
                            "\"" + path.get() + "\" is not the name of a flow.",
                            "Use letters, digits, _ and -, in parts joined by /.");
        }
        return path;
    }

    private Optional<JsonValue> inputSchema(Fields fields) {
        Optional<JsonValue> schema = constant(fields, "input_schema");
        schema.ifPresent(value -> Schemas.check(
                fields.find("input_schema").orElseThrow(),
                fields.path("input_schema"),
                value,
                parts.reading().problems()));
        return schema;
    }

    /** Reads an object without expressions. */
    private Optional<JsonValue> constant(Fields fields, String key) {
        if (!fields.has(key)) {
            return Optional.empty();
        }
        Template value = parts.template(fields, key).orElseThrow();
        if (value instanceof Template.Constant(JsonValue constant) && constant.kind() == JsonValue.Kind.OBJECT) {
            return Optional.of(constant);
        }
        parts.reading()
                .problem(
                        fields.find(key).orElseThrow().mark(),
                        fields.path(key),
                        key + " is not an object of constants.",
                        "Write keys and values without expressions.");
        return Optional.empty();
    }
}
