package dev.millrace.scheduler.flow.dialect;

import static java.util.Objects.requireNonNull;

/**
 * Another flow that a definition runs as a part of itself.
 *
 * @param path of the other flow
 * @param mark where it is named
 * @param place the same as a place in the definition, for example {@code steps[1].flow}
 */
public record FlowUse(String path, SourceNode.Mark mark, String place) {
    public FlowUse {
        requireNonNull(path, "path");
        requireNonNull(mark, "mark");
        requireNonNull(place, "place");
    }

    /** Something wrong with it. */
    public FlowProblem problem(String message, String remedy) {
        return new FlowProblem(mark.line(), mark.column(), place, message, remedy);
    }
}
