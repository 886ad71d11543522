package dev.millrace.scheduler.flow.dialect;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.NumberedPath;
import dev.millrace.scheduler.queue.core.Language;
import java.util.List;
import java.util.Map;

/** What became of a definition. */
public sealed interface Compilation {
    /** Name of its dialect; empty where it was not recognised. */
    String dialect();

    /** Paths of the scripts it names, each once, in order of first use; as far as it could be read. */
    List<String> scriptPaths();

    /** Paths of scripts that it would run if they came with the definition, and does without. */
    List<String> scriptCandidates();

    /**
     * A valid flow.
     *
     * @param inlineScripts scripts whose source stands in the definition, by the path with which the steps name them; none of them is
     *     among {@code scriptPaths}
     * @param flows other flows that it runs as a part of itself, each where it is named first
     * @param warnings what it asks for in vain, in the order of the definition
     * @param number of the version, as the definition gives it
     */
    record Compiled(
            String dialect,
            FlowDefinition flow,
            List<String> scriptPaths,
            Map<String, InlineScript> inlineScripts,
            List<String> scriptCandidates,
            List<FlowUse> flows,
            List<FlowProblem> warnings,
            int number)
            implements Compilation {
        public Compiled {
            requireNonNull(dialect, "dialect");
            requireNonNull(flow, "flow");
            scriptPaths = List.copyOf(scriptPaths);
            inlineScripts = Map.copyOf(inlineScripts);
            scriptCandidates = List.copyOf(scriptCandidates);
            flows = List.copyOf(flows);
            warnings = List.copyOf(warnings);
        }

        /** A flow that gets all that it asks for. */
        public Compiled(
                String dialect,
                FlowDefinition flow,
                List<String> scriptPaths,
                Map<String, InlineScript> inlineScripts,
                List<String> scriptCandidates,
                List<FlowUse> flows) {
            this(dialect, flow, scriptPaths, inlineScripts, scriptCandidates, flows, List.of(), NumberedPath.FIRST);
        }

        /** A flow whose scripts are all known by its text. */
        public Compiled(
                String dialect,
                FlowDefinition flow,
                List<String> scriptPaths,
                Map<String, InlineScript> inlineScripts,
                List<FlowUse> flows) {
            this(dialect, flow, scriptPaths, inlineScripts, List.of(), flows);
        }

        /** A flow without inline scripts. */
        public Compiled(String dialect, FlowDefinition flow, List<String> scriptPaths, List<FlowUse> flows) {
            this(dialect, flow, scriptPaths, Map.of(), flows);
        }

        /** The same, with what it asks for in vain. */
        Compiled warning(List<FlowProblem> found) {
            return new Compiled(dialect, flow, scriptPaths, inlineScripts, scriptCandidates, flows, found, number);
        }

        /** The same, as the version with this number. */
        public Compiled numbered(int version) {
            return new Compiled(dialect, flow, scriptPaths, inlineScripts, scriptCandidates, flows, warnings, version);
        }
    }

    /** The source of a script that stands in the definition. */
    record InlineScript(Language language, String content) {
        public InlineScript {
            requireNonNull(language, "language");
            requireNonNull(content, "content");
        }
    }

    /** A definition with problems, in the order of the definition. */
    record Rejected(String dialect, List<FlowProblem> problems, List<String> scriptPaths, List<String> scriptCandidates)
            implements Compilation {
        public Rejected {
            requireNonNull(dialect, "dialect");
            problems = List.copyOf(problems);
            scriptPaths = List.copyOf(scriptPaths);
            scriptCandidates = List.copyOf(scriptCandidates);
        }

        /** A definition whose scripts are all known by its text. */
        public Rejected(String dialect, List<FlowProblem> problems, List<String> scriptPaths) {
            this(dialect, problems, scriptPaths, List.of());
        }
    }
}
