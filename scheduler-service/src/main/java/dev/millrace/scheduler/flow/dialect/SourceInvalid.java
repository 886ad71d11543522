package dev.millrace.scheduler.flow.dialect;

/**
 * Exception that carries the reason why a text is no document up to {@link FlowCompiler}, which turns it into a
 * problem.
 */
final class SourceInvalid extends RuntimeException {
    private final SourceNode.Mark mark;
    private final String remedy;

    SourceInvalid(SourceNode.Mark mark, String message, String remedy) {
        super(message, null, false, false);
        this.mark = mark;
        this.remedy = remedy;
    }

    void addTo(Problems problems) {
        problems.add(mark, "", String.valueOf(getMessage()), remedy);
    }
}
