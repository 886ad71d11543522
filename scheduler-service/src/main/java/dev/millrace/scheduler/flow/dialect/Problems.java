package dev.millrace.scheduler.flow.dialect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Gathers what is wrong with one definition, and what it asks for in vain. */
public final class Problems {
    /** Most problems that are reported; the rest follows from them more often than not. */
    public static final int PROBLEMS_MAX = 100;

    private final List<FlowProblem> problems = new ArrayList<>();
    private final List<FlowProblem> warnings = new ArrayList<>();

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
