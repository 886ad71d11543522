package dev.millrace.scheduler.flow.dialect;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.NumberedPath;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.script.ScriptPaths;
import dev.millrace.text.script.BunNeed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Result of compiling a definition. */
public sealed interface Compilation {
    /** Name of the definition's dialect; empty if no dialect recognized it. */
    String dialect();

    /**
     * Paths of the scripts that the definition names, without duplicates, in order of first use. Incomplete if a part
     * of the definition could not be read.
     */
    List<String> scriptPaths();

    /** Paths of scripts that the definition would run if they came with it. It also compiles without them. */
    List<String> scriptCandidates();

    /**
     * A valid flow.
     *
     * @param inlineScripts scripts whose source is part of the definition, by the path with which the steps name them;
     *     none of these paths is among {@code scriptPaths}
     * @param flows other flows that this flow runs as part of itself, each at the place that names it first
     * @param bunIfNeeded those of the paths whose scripts run in Bun if they need it, whatever their ending says
     * @param scriptUses steps that run scripts, as far as the dialect tells where their inputs are
     * @param warnings settings that have no effect, in the order of the definition
     * @param number version number that the definition gives
     */
    record Compiled(
            String dialect,
            FlowDefinition flow,
            List<String> scriptPaths,
            Map<String, InlineScript> inlineScripts,
            List<String> scriptCandidates,
            List<FlowUse> flows,
            Set<String> bunIfNeeded,
            List<ScriptUse> scriptUses,
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
            bunIfNeeded = Set.copyOf(bunIfNeeded);
            scriptUses = List.copyOf(scriptUses);
            warnings = List.copyOf(warnings);
        }

        /** A flow whose settings all take effect. */
        public Compiled(
                String dialect,
                FlowDefinition flow,
                List<String> scriptPaths,
                Map<String, InlineScript> inlineScripts,
                List<String> scriptCandidates,
                List<FlowUse> flows) {
            this(
                    dialect,
                    flow,
                    scriptPaths,
                    inlineScripts,
                    scriptCandidates,
                    flows,
                    Set.of(),
                    List.of(),
                    List.of(),
                    NumberedPath.FIRST);
        }

        /** A flow without script candidates. */
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

        /** Returns a copy with these warnings. */
        public Compiled warning(List<FlowProblem> found) {
            return with(bunIfNeeded, scriptUses, found, number);
        }

        /** Returns a copy with a version number. */
        public Compiled numbered(int version) {
            return with(bunIfNeeded, scriptUses, warnings, version);
        }

        /** Returns a copy with the scripts that run in Bun if they need it. */
        public Compiled inBunIfNeeded(Set<String> paths) {
            return with(paths, scriptUses, warnings, number);
        }

        /** Returns a copy with the steps that run scripts. */
        public Compiled using(List<ScriptUse> uses) {
            return with(bunIfNeeded, uses, warnings, number);
        }

        private Compiled with(Set<String> inBun, List<ScriptUse> uses, List<FlowProblem> found, int version) {
            return new Compiled(
                    dialect, flow, scriptPaths, inlineScripts, scriptCandidates, flows, inBun, uses, found, version);
        }

        /** The language of a script in a file that comes with the flow; empty if nothing tells it. */
        public Optional<Language> languageOf(String path, String content) {
            boolean isInBun = bunIfNeeded.contains(path) && BunNeed.isIn(content);
            return isInBun ? Optional.of(Language.BUN) : ScriptPaths.languageOf(path);
        }
    }

    /**
     * A script whose source is part of the definition.
     *
     * @param lock exact versions of its packages, in the form of Windmill; empty if the definition has none
     */
    record InlineScript(Language language, String content, String lock) {
        public InlineScript {
            requireNonNull(language, "language");
            requireNonNull(content, "content");
            requireNonNull(lock, "lock");
        }

        /** A script without a lock. */
        public InlineScript(Language language, String content) {
            this(language, content, "");
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

        /** A definition without script candidates. */
        public Rejected(String dialect, List<FlowProblem> problems, List<String> scriptPaths) {
            this(dialect, problems, scriptPaths, List.of());
        }
    }
}
