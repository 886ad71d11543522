package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.flow.core.definition.InputType;
import dev.millrace.text.Durations;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writer of a flow's inputs and options. */
final class FlowFieldsPrinter {
    private final ValuePrinter values;

    FlowFieldsPrinter(ValuePrinter values) {
        this.values = values;
    }

    void write(FlowDefinition flow, Map<String, Object> written) {
        if (!flow.inputs().isEmpty()) {
            Map<String, Object> inputs = new LinkedHashMap<>();
            flow.inputs().forEach(input -> inputs.put(input.name(), input(input)));
            written.put("inputs", inputs);
        }
        options(flow.options(), written);
    }

    private static Map<String, Object> givenTheInput(Object failureFlow) {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("flow", failureFlow);
        written.put("given", "input");
        return written;
    }

    private Map<String, Object> input(InputSpec input) {
        Map<String, Object> written = new LinkedHashMap<>();
        if (input.type() != InputType.ANY) {
            written.put("type", input.type().word());
        }
        input.defaultValue().ifPresent(value -> written.put("default", values.constant(value)));
        if (input.required() != input.defaultValue().isEmpty()) {
            written.put("required", input.required());
        }
        if (input.emptyMeansDefault()) {
            written.put(Inputs.EMPTY_MEANS_DEFAULT, true);
        }
        if (!input.description().isEmpty()) {
            written.put("description", input.description());
        }
        return written;
    }

    private void options(FlowOptions options, Map<String, Object> written) {
        options.inputSchema().ifPresent(schema -> written.put("input_schema", values.constant(schema)));
        boolean open = options.undeclared() == FlowOptions.Undeclared.KEPT;
        if (options.undeclared() == FlowOptions.Undeclared.IGNORED) {
            written.put(FlowFields.IGNORE_UNDECLARED, true);
        } else if (open != options.inputSchema().isPresent()) {
            written.put(FlowFields.OPEN_INPUTS, open);
        }
        if (!options.variables().equals(JsonValue.EMPTY_OBJECT)) {
            written.put("variables", values.constant(options.variables()));
        }
        options.triggers().members().forEach((section, declared) -> written.put(section, values.constant(declared)));
        if (!options.env().equals(JsonValue.EMPTY_OBJECT)) {
            written.put(FlowFields.ENV, values.constant(options.env()));
        }
        options.timeout().ifPresent(timeout -> written.put("timeout", Durations.text(timeout)));
        if (options.priority() != 0) {
            written.put("priority", options.priority());
        }
        options.concurrency().ifPresent(concurrency -> {
            Map<String, Object> limit = new LinkedHashMap<>();
            concurrency.max().ifPresent(max -> limit.put("max", max));
            concurrency.rate().ifPresent(rate -> limit.put("rate", LimitFields.rate(rate)));
            limit.put("key", values.value(concurrency.key()));
            written.put("concurrency", limit);
        });
        options.cache().ifPresent(cache -> CacheFields.write(cache, values, written));
        options.callers().earlyReturn().ifPresent(step -> written.put("early_return", step));
        options.callers().debounce().ifPresent(debounce -> {
            Map<String, Object> merged = new LinkedHashMap<>();
            merged.put("delay", Durations.text(debounce.delay()));
            merged.put("key", values.value(debounce.key()));
            debounce.delayMax().ifPresent(max -> merged.put("max_delay", Durations.text(max)));
            if (!debounce.accumulate().isEmpty()) {
                merged.put("accumulate", debounce.accumulate());
            }
            written.put("debounce", merged);
        });
        if (options.sameWorker()) {
            written.put(Policies.SAME_WORKER, true);
        }
        options.failureFlow()
                .ifPresent(flow -> written.put(
                        "failure_flow",
                        switch (flow.given()) {
                            case FAILURE -> values.value(flow.path());
                            case INPUT -> givenTheInput(values.value(flow.path()));
                        }));
    }
}
