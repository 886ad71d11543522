package dev.millrace.scheduler.flow.dialect;

import static java.util.Objects.requireNonNull;

/**
 * Another flow that a definition runs as part of itself.
 *
 * @param path of the other flow
 * @param mark position of the name in the text
 * @param place of the name in the definition, for example {@code steps[1].flow}
 */
public record FlowUse(String path, SourceNode.Mark mark, String place) {
    public FlowUse {
        requireNonNull(path, "path");
        requireNonNull(mark, "mark");
        requireNonNull(place, "place");
    }

    /** Makes a problem at the place that names the flow. */
    public FlowProblem problem(String message, String remedy) {
        return new FlowProblem(mark.line(), mark.column(), place, message, remedy);
    }
}
