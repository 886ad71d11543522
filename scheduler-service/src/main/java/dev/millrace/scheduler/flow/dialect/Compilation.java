package dev.millrace.scheduler.flow.dialect;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.FlowDefinition;
import java.util.List;

/** What became of a definition. */
public sealed interface Compilation {
    /** Name of its dialect; empty where it was not recognised. */
    String dialect();

    /** Paths of the scripts it names, each once, in order of first use; as far as it could be read. */
    List<String> scriptPaths();

    /** A valid flow. */
    record Compiled(String dialect, FlowDefinition flow, List<String> scriptPaths) implements Compilation {
        public Compiled {
            requireNonNull(dialect, "dialect");
            requireNonNull(flow, "flow");
            scriptPaths = List.copyOf(scriptPaths);
        }
    }

    /** A definition with problems, in the order of the definition. */
    record Rejected(String dialect, List<FlowProblem> problems, List<String> scriptPaths) implements Compilation {
        public Rejected {
            requireNonNull(dialect, "dialect");
            problems = List.copyOf(problems);
            scriptPaths = List.copyOf(scriptPaths);
        }
    }
}
