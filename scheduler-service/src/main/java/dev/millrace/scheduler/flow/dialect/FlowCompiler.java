package dev.millrace.scheduler.flow.dialect;

import dev.millrace.scheduler.expression.Functions;
import dev.millrace.scheduler.expression.TextFunctions;
import dev.millrace.scheduler.expression.jq.JqFunctions;
import dev.millrace.scheduler.expression.jsonpath.PathFunctions;
import dev.millrace.scheduler.flow.core.definition.LimitsInGroups;
import dev.millrace.scheduler.flow.dialect.conductor.ConductorDialect;
import dev.millrace.scheduler.flow.dialect.conductor.ConductorFunctions;
import dev.millrace.scheduler.flow.dialect.fastflow.FastflowDialect;
import dev.millrace.scheduler.flow.dialect.fastflow.FastflowFunctions;
import dev.millrace.scheduler.flow.dialect.millrace.MillraceDialect;
import dev.millrace.scheduler.flow.dialect.openflow.OpenFlowDialect;
import dev.millrace.scheduler.flow.dialect.openflow.OpenFlowFunctions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Entry point of the compilers: picks the dialect of a definition and compiles it. */
public final class FlowCompiler {
    /** Functions that expressions of the dialect millrace may call so that it can express what other dialects can. */
    private static final Map<String, Functions> FUNCTIONS = Map.of(
            "text", TextFunctions::call,
            "path", PathFunctions::call,
            "jq", JqFunctions::call,
            "conductor", ConductorFunctions::call,
            "fastflow", FastflowFunctions::call,
            "openflow", OpenFlowFunctions::call);

    private static final List<Dialect> DIALECTS = List.of(
            new MillraceDialect(FUNCTIONS), new OpenFlowDialect(), new ConductorDialect(), new FastflowDialect());

    private FlowCompiler() {}

    /** Compiles a definition. Errors in the definition are part of the result; they never throw. */
    public static Compilation compile(FlowSource source) {
        Problems problems = new Problems();
        try {
            SourceNode document = read(source);
            Optional<Dialect> dialect = dialect(source, document, problems);
            if (dialect.isPresent()) {
                Compilation compilation = dialect.get().compile(document, source.files(), problems);
                return warning(withReferencesInInputs(withoutLimitsInGroups(compilation)), problems);
            }
        } catch (SourceInvalid invalid) {
            invalid.addTo(problems);
        }
        return new Compilation.Rejected(source.dialect().orElse(""), problems.inOrder(), List.of());
    }

    private static Compilation warning(Compilation compilation, Problems problems) {
        return compilation instanceof Compilation.Compiled compiled
                ? compiled.warning(problems.warningsInOrder())
                : compilation;
    }

    /**
     * Rejects a flow in which a group of steps that share a worker has a limit. Skips flows that it runs by path:
     * deployment checks those.
     */
    private static Compilation withoutLimitsInGroups(Compilation compilation) {
        if (!(compilation instanceof Compilation.Compiled compiled)) {
            return compilation;
        }
        return LimitsInGroups.find(compiled.flow(), _ -> Optional.empty())
                .<Compilation>map(step -> new Compilation.Rejected(
                        compiled.dialect(),
                        List.of(new FlowProblem(0, 0, "", LimitsInGroups.message(step), LimitsInGroups.REMEDY)),
                        compiled.scriptPaths(),
                        compiled.scriptCandidates()))
                .orElse(compilation);
    }

    /** Rejects a flow that refers to secrets or resources where no worker would put values in their place. */
    private static Compilation withReferencesInInputs(Compilation compilation) {
        if (!(compilation instanceof Compilation.Compiled compiled)) {
            return compilation;
        }
        List<FlowProblem> misplaced = References.problems(compiled.flow());
        return misplaced.isEmpty()
                ? compilation
                : new Compilation.Rejected(
                        compiled.dialect(), misplaced, compiled.scriptPaths(), compiled.scriptCandidates());
    }

    static SourceNode read(FlowSource source) {
        if (source.text().length() > SourceLimits.CHARS_MAX) {
            throw new SourceInvalid(
                    new SourceNode.Mark(0, 0),
                    "The definition has " + source.text().length() + " characters, more than the limit of "
                            + SourceLimits.CHARS_MAX + ".",
                    "Split the flow, or pass large data as an input.");
        }
        return source.fileName().endsWith(".json") ? JsonReader.read(source.text()) : YamlReader.read(source.text());
    }

    private static Optional<Dialect> dialect(FlowSource source, SourceNode document, Problems problems) {
        if (source.dialect().isPresent()) {
            Optional<Dialect> named = DIALECTS.stream()
                    .filter(dialect -> dialect.name().equals(source.dialect().get()))
                    .findFirst();
            if (named.isEmpty()) {
                problems.add(
                        new SourceNode.Mark(0, 0),
                        "",
                        "The dialect \"" + source.dialect().get() + "\" is unknown.",
                        "Use one of: " + names() + ".");
            }
            return named;
        }
        Optional<Dialect> recognized = DIALECTS.stream()
                .filter(dialect -> dialect.recognizes(document))
                .findFirst();
        if (recognized.isEmpty()) {
            problems.add(
                    document.mark(),
                    "",
                    "The dialect of the definition is not recognized.",
                    "Begin it with the line: millrace: v1 (known dialects: " + names() + ").");
        }
        return recognized;
    }

    private static String names() {
        return DIALECTS.stream().map(Dialect::name).collect(Collectors.joining(", "));
    }
}
