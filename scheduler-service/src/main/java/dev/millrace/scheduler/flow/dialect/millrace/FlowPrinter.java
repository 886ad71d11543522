package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.Compilation.InlineScript;
import dev.millrace.scheduler.flow.dialect.YamlWriter;
import dev.millrace.text.script.ScriptLanguages;
import dev.millrace.text.script.WindmillLock;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writer of flows of any dialect in the dialect {@code millrace}. Compiling the written definition yields an equal
 * flow.
 */
public final class FlowPrinter {
    private final ValuePrinter values = new ValuePrinter();
    private final Compilation.Compiled compiled;
    private final BunFiles bunFiles;
    private final Set<String> named = new HashSet<>();

    private FlowPrinter(Compilation.Compiled compiled, BunFiles bunFiles) {
        this.compiled = compiled;
        this.bunFiles = bunFiles;
    }

    public static Printing print(Compilation.Compiled compiled) {
        return print(compiled, Map.of());
    }

    /**
     * Writes a flow.
     *
     * @param files contents of files that come with the flow, by path
     */
    public static Printing print(Compilation.Compiled compiled, Map<String, String> files) {
        BunFiles bunFiles = BunFiles.of(compiled, files);
        FlowPrinter printer = new FlowPrinter(compiled, bunFiles);
        String definition = YamlWriter.write(printer.flow(compiled.flow()));
        if (!printer.values.reasons().isEmpty()) {
            return new Printing.Unprintable(printer.values.reasons());
        }
        Map<String, String> scripts = new LinkedHashMap<>();
        compiled.inlineScripts().forEach((path, script) -> {
            String file = printer.scriptPath(path);
            scripts.put(file, script.content());
            if (!script.lock().isEmpty()) {
                scripts.put(WindmillLock.pathFor(file), script.lock());
            }
        });
        scripts.putAll(bunFiles.contents());
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
        new FlowFieldsPrinter(values).write(flow, written);
        new StepPrinter(values, this::scriptPath).write(flow, written);
        List<String> others = compiled.scriptPaths().stream()
                .filter(path -> !named.contains(path))
                .toList();
        if (!others.isEmpty()) {
            written.put(FlowFields.SCRIPTS, others);
        }
        return written;
    }

    /** The path of a script. An inline script, and one whose ending does not tell its language, get a file of their own. */
    private String scriptPath(String path) {
        named.add(path);
        InlineScript script = compiled.inlineScripts().get(path);
        if (script == null) {
            return bunFiles.pathOf(path);
        }
        String ending = ScriptLanguages.endingOf(script.language().name()).orElse("");
        return path.replaceAll("[^A-Za-z0-9_-]+", "_") + ending;
    }
}
