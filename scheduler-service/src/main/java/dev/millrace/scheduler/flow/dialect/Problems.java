package dev.millrace.scheduler.flow.dialect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gathers what is wrong with one definition, and what it asks for in vain. */
public final class Problems {
    /** Most problems that are reported; the rest follows from them more often than not. */
    public static final int PROBLEMS_MAX = 100;

    private final List<FlowProblem> problems = new ArrayList<>();
    private final List<FlowProblem> warnings = new ArrayList<>();
    private final Map<List<String>, SourceNode.Mark> keysListed = new HashMap<>();

    /** A sentence that lists the keys that something may have, the first time; after that, it says where they were listed. */
    String knownKeys(List<String> known, SourceNode.Mark mark) {
        SourceNode.Mark first = keysListed.putIfAbsent(known, mark);
        return first == null
                ? "Known keys: " + String.join(", ", known) + "."
                : "The known keys are listed for line " + first.line() + ".";
    }

    /** Notes one, where there is room. */
    public void add(SourceNode.Mark mark, String path, String message, String remedy) {
        if (problems.size() < PROBLEMS_MAX) {
            problems.add(new FlowProblem(mark.line(), mark.column(), path, message, remedy));
        }
    }

    /** Notes something that the definition asks for and does not get, though the flow runs; where there is room. */
    public void warn(SourceNode.Mark mark, String path, String message, String remedy) {
        if (warnings.size() < PROBLEMS_MAX) {
            warnings.add(new FlowProblem(mark.line(), mark.column(), path, message, remedy));
        }
    }

    public boolean isEmpty() {
        return problems.isEmpty();
    }

    /** All that is wrong, in the order of the definition. */
    public List<FlowProblem> inOrder() {
        return inOrder(problems);
    }

    /** All that is asked for in vain, in the order of the definition. */
    public List<FlowProblem> warningsInOrder() {
        return inOrder(warnings);
    }

    private static List<FlowProblem> inOrder(List<FlowProblem> found) {
        return found.stream()
                .sorted(Comparator.comparingInt(FlowProblem::line).thenComparingInt(FlowProblem::column))
                .toList();
    }
}
