package dev.millrace.scheduler.flow.dialect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collector of the errors and warnings of one definition. Reports each once, however often its text is read. */
public final class Problems {
    /** Maximum number of errors reported, and of warnings. Later errors are usually consequences of earlier ones. */
    public static final int PROBLEMS_MAX = 100;

    private final List<FlowProblem> problems = new ArrayList<>();
    private final List<FlowProblem> warnings = new ArrayList<>();
    private final Set<Finding> reported = new HashSet<>();
    private final Map<List<String>, SourceNode.Mark> keysListed = new HashMap<>();

    private record Finding(SourceNode.Mark mark, String path, String message) {}

    /**
     * Returns a sentence that lists the known keys. The second time, the sentence refers to the line with the first
     * list.
     */
    String knownKeys(List<String> known, SourceNode.Mark mark) {
        SourceNode.Mark first = keysListed.putIfAbsent(known, mark);
        return first == null
                ? "Known keys: " + String.join(", ", known) + "."
                : "The known keys are listed for line " + first.line() + ".";
    }

    /** Adds an error, unless {@link #PROBLEMS_MAX} errors are present. */
    public void add(SourceNode.Mark mark, String path, String message, String remedy) {
        if (problems.size() < PROBLEMS_MAX && reported.add(new Finding(mark, path, message))) {
            problems.add(new FlowProblem(mark.line(), mark.column(), path, message, remedy));
        }
    }

    /** Adds a warning about a setting that has no effect, unless {@link #PROBLEMS_MAX} warnings are present. */
    public void warn(SourceNode.Mark mark, String path, String message, String remedy) {
        if (warnings.size() < PROBLEMS_MAX && reported.add(new Finding(mark, path, message))) {
            warnings.add(new FlowProblem(mark.line(), mark.column(), path, message, remedy));
        }
    }

    public boolean isEmpty() {
        return problems.isEmpty();
    }

    /** All errors, in the order of the definition. */
    public List<FlowProblem> inOrder() {
        return inOrder(problems);
    }

    /** All warnings, in the order of the definition. */
    public List<FlowProblem> warningsInOrder() {
        return inOrder(warnings);
    }

    private static List<FlowProblem> inOrder(List<FlowProblem> found) {
        return found.stream()
                .sorted(Comparator.comparingInt(FlowProblem::line).thenComparingInt(FlowProblem::column))
                .toList();
    }
}
