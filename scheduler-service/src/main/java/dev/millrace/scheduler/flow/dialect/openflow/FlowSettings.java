package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.javascript.Binding;
import dev.millrace.scheduler.expression.javascript.JavaScript;
import dev.millrace.scheduler.expression.javascript.Names;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.FlowOptions.Callers;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.openflow.StepIndex.Place;
import dev.millrace.scheduler.flow.dialect.openflow.StepIndex.StepsAt;
import dev.millrace.scheduler.queue.core.JobOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reader of the settings of a flow. */
final class FlowSettings {
    static final String FAILURE_MODULE = "failure_module";
    static final List<String> KEYS = List.of(
            "modules",
            FAILURE_MODULE,
            "preprocessor_module",
            "flow_env",
            "priority",
            "timeout",
            "concurrent_limit",
            "concurrency_key",
            "concurrency_time_window_s",
            "same_worker",
            OpenFlowDialect.KEEP_TAGS,
            "early_return",
            "skip_expr",
            "cache_ttl",
            "cache_ignore_s3_path",
            "debounce_delay_s",
            "debounce_key",
            "debounce_args_to_accumulate",
            "max_total_debouncing_time",
            "max_total_debounces_amount",
            "chat_input_enabled",
            Erasures.AFTER_USE,
            Erasures.AFTER_SECONDS,
            "notes",
            "groups");
    private final Reading reading;
    private final Fields record;
    private final Fields value;

    /**
     * Creates a reader for one flow.
     *
     * @param record object around the value, for settings that the value lacks; the value itself if it has no such
     *     object
     */
    FlowSettings(Reading reading, Fields record, Fields value) {
        this.reading = reading;
        this.record = record;
        this.value = value;
    }

    /**
     * Reads the options.
     *
     * @param steps of the flow
     * @param end the place after the last module
     */
    FlowOptions read(StepList steps, Place end) {
        new Erasures(reading, value).warnOfFlow();
        return FlowOptions.NONE
                .change()
                .onFailure(failureModule(end))
                .timeout(timeout())
                .priority(holderOf("priority")
                        .whole("priority", JobOptions.PRIORITY_MIN, JobOptions.PRIORITY_MAX)
                        .orElse(0))
                .concurrency(Concurrencies.read(value))
                .undeclared(FlowOptions.Undeclared.KEPT)
                .cache(Caches.find(value))
                .callers(new Callers(earlyReturn(steps), new Debounces(value).read()))
                .sameWorker(value.bool("same_worker").orElse(false))
                .env(environment())
                .recovers(recovers())
                .build();
    }

    /**
     * Condition on which the run succeeds despite the failure: the failure module returned {@code {recover: true}}. Its
     * result is then the result of the run.
     */
    private Optional<Template> recovers() {
        return value.find(FAILURE_MODULE)
                .flatMap(ModuleReader::peekId)
                .map(id -> new Names(Map.of("repaired", new Binding.Value(new Path(new Root.StepResultIfAny(id))))))
                .map(names -> JavaScript.read("repaired?.recover === true", names))
                .flatMap(read -> read instanceof ExpressionReading.Read(Expression condition)
                        ? Optional.of(new Template.Whole(condition))
                        : Optional.empty());
    }

    private Optional<Duration> timeout() {
        return holderOf("timeout")
                .whole("timeout", 0, (int) JobOptions.TIMEOUT_LIMIT.toSeconds())
                .filter(seconds -> seconds > 0)
                .map(Duration::ofSeconds);
    }

    private Fields holderOf(String key) {
        return value.has(key) ? value : record;
    }

    private Optional<String> earlyReturn(StepList steps) {
        Optional<String> id = value.text("early_return").filter(text -> !text.isEmpty());
        if (id.isPresent() && steps.steps().stream().noneMatch(step -> step.id().equals(id.get()))) {
            reading.problem(
                    value.find("early_return").orElseThrow().mark(),
                    value.path("early_return"),
                    "The flow has no module \"" + id.get() + "\" to return early.",
                    "Name a module of the flow's own list, outside of loops and branches.");
        }
        return id;
    }

    private JsonValue environment() {
        Optional<SourceNode> node = value.find("flow_env");
        if (node.isPresent() && !(node.get() instanceof SourceNode.Mapping)) {
            reading.problem(
                    node.get().mark(),
                    value.path("flow_env"),
                    "flow_env is " + node.get().phrase() + " (expected: an object).",
                    "Write one key for each value.");
            return JsonValue.EMPTY_OBJECT;
        }
        return node.map(found -> new Constants(reading).read(found, value.path("flow_env")))
                .orElse(JsonValue.EMPTY_OBJECT);
    }

    private Optional<StepList> failureModule(Place end) {
        return value.find(FAILURE_MODULE).flatMap(node -> {
            if (reading.hasInnerModules()) {
                reading.warn(
                        node.mark(),
                        value.path(FAILURE_MODULE),
                        "If a module in a loop or branch fails, Windmill runs the failure module there, and its result is that of "
                                + "the iteration or branch; here it runs once, when the whole flow has failed.",
                        "Let a module after the loop or branch look at the failure (skip_failures, skip_failure, continue_on_error), if "
                                + "that is not enough.");
            }
            List<String> gates = reading.gates();
            Sight sight = Sight.failure(
                    new Place(StepsAt.inside(end), 0),
                    new Path(new Root.Inputs()),
                    gates.isEmpty() ? new Path(new Root.Failure()) : new GateError(gates));
            return new ModuleReader(reading, 1)
                    .read(node, value.path(FAILURE_MODULE), Module.none(sight), false)
                    .map(module -> new StepList(module.steps(), Optional.empty()));
        });
    }
}
