package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.FlowDefinition;
import dev.millrace.scheduler.flow.core.FlowOptions;
import dev.millrace.scheduler.flow.core.InputSpec;
import dev.millrace.scheduler.flow.core.InputType;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.Compilation.InlineScript;
import dev.millrace.scheduler.flow.dialect.Durations;
import dev.millrace.scheduler.queue.core.Language;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes a flow of any dialect in this one. Compiling what it writes gives the same flow. */
public final class FlowPrinter {
    private final ValuePrinter values = new ValuePrinter();
    private final Compilation.Compiled compiled;

    private FlowPrinter(Compilation.Compiled compiled) {
        this.compiled = compiled;
    }

    public static Printing print(Compilation.Compiled compiled) {
        FlowPrinter printer = new FlowPrinter(compiled);
        String definition = YamlWriter.write(printer.flow(compiled.flow()));
        if (!printer.values.reasons().isEmpty()) {
            return new Printing.Unprintable(printer.values.reasons());
        }
        Map<String, String> scripts = new LinkedHashMap<>();
        compiled.inlineScripts().forEach((path, script) -> scripts.put(printer.scriptPath(path), script.content()));
        return new Printing.Printed(definition, scripts);
    }

    private Map<String, Object> flow(FlowDefinition flow) {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("millrace", "v1");
        if (MillraceDialect.FLOW_NAME.matcher(flow.name()).matches()) {
            written.put("name", flow.name());
        } else if (!flow.name().isEmpty()) {
            values.refuse("the name \"" + flow.name() + "\"");
        }
        if (!flow.description().isEmpty()) {
            written.put("description", flow.description());
        }
        if (!flow.inputs().isEmpty()) {
            Map<String, Object> inputs = new LinkedHashMap<>();
            flow.inputs().forEach(input -> inputs.put(input.name(), input(input)));
            written.put("inputs", inputs);
        }
        options(flow.options(), written);
        StepPrinter steps = new StepPrinter(values, this::scriptPath);
        steps.write(flow.steps(), written);
        flow.options().onFailure().ifPresent(list -> {
            Map<String, Object> handler = new LinkedHashMap<>();
            steps.write(list, handler);
            written.put("on_failure", handler);
        });
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
        if (!input.description().isEmpty()) {
            written.put("description", input.description());
        }
        return written;
    }

    private void options(FlowOptions options, Map<String, Object> written) {
        options.inputSchema().ifPresent(schema -> written.put("input_schema", values.constant(schema)));
        if (options.inputOpen() != options.inputSchema().isPresent()) {
            written.put("open_inputs", options.inputOpen());
        }
        if (!options.variables().equals(JsonValue.EMPTY_OBJECT)) {
            written.put("variables", values.constant(options.variables()));
        }
        options.timeout().ifPresent(timeout -> written.put("timeout", Durations.text(timeout)));
        if (options.priority() != 0) {
            written.put("priority", options.priority());
        }
        options.concurrency().ifPresent(concurrency -> {
            Map<String, Object> limit = new LinkedHashMap<>();
            limit.put("max", concurrency.max());
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
            written.put("debounce", merged);
        });
        options.failureFlow().ifPresent(flow -> written.put("failure_flow", flow));
    }

    /** A script inside the definition becomes a file with a name of its own. */
    private String scriptPath(String path) {
        InlineScript script = compiled.inlineScripts().get(path);
        if (script == null) {
            return path;
        }
        String ending = script.language() == Language.PYTHON ? ".py" : ".ts";
        return path.replaceAll("[^A-Za-z0-9_-]+", "_") + ending;
    }
}
