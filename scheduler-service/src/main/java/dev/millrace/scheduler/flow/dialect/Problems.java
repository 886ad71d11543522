package dev.millrace.scheduler.flow.dialect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Gathers what is wrong with one definition. */
public final class Problems {
    /** Most problems that are reported; the rest follows from them more often than not. */
    public static final int PROBLEMS_MAX = 100;

    private final List<FlowProblem> problems = new ArrayList<>();

    /** Notes one, where there is room. */
    public void add(SourceNode.Mark mark, String path, String message, String remedy) {
        if (problems.size() < PROBLEMS_MAX) {
            problems.add(new FlowProblem(mark.line(), mark.column(), path, message, remedy));
        }
    }

    public boolean isEmpty() {
        return problems.isEmpty();
    }

    /** All of them, in the order of the definition. */
    public List<FlowProblem> inOrder() {
        return problems.stream()
                .sorted(Comparator.comparingInt(FlowProblem::line).thenComparingInt(FlowProblem::column))
                .toList();
    }
}
