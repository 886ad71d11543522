package dev.millrace.scheduler.log;

import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.rpc.RequestFields;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Validates what requests say about the chunks and lines that they want. */
final class LogRequestProtos {
    private static final int STEP_LENGTH_MAX = 10_000;
    private static final int TEXT_LENGTH_MAX = 1_000;

    private LogRequestProtos() {}

    static LogFilter filter(String job, String step, List<dev.millrace.proto.log.v1.LogChunk.Stream> streams) {
        Violations violations = new Violations();
        violations.require(
                step.length() <= STEP_LENGTH_MAX && step.indexOf('\0') < 0,
                "step",
                "is not the key of a step (expected: for example count or count[3])");
        Set<LogStream> wanted = EnumSet.noneOf(LogStream.class);
        for (int index = 0; index < streams.size(); index++) {
            var stream = streams.get(index);
            String field = "streams[" + index + "]";
            LogProtos.stream(stream)
                    .ifPresentOrElse(wanted::add, () -> violations.add(field, stream + " is not a stream of a job"));
        }
        violations.throwIfAny();
        return new LogFilter(
                RequestFields.jobId(job), step, wanted.isEmpty() ? EnumSet.allOf(LogStream.class) : wanted);
    }

    static LogRange range(long after, long before, boolean isNewestFirst) {
        Violations violations = new Violations();
        violations.require(after >= 0, "after_position", after + " (expected: >= 0)");
        violations.require(before >= 0, "before_position", before + " (expected: >= 0)");
        violations.throwIfAny();
        return LogRange.of(after, before, isNewestFirst);
    }

    static LineSearch search(String text, boolean matchesCase) {
        Violations violations = new Violations();
        violations.require(
                !text.isEmpty() && text.length() <= TEXT_LENGTH_MAX,
                "text",
                text.length() + " characters (expected: 1 to " + TEXT_LENGTH_MAX + ")");
        violations.require(
                text.chars().noneMatch(character -> character == '\0' || character == '\n'),
                "text",
                "contains NUL or a line break (expected: text within one line)");
        violations.throwIfAny();
        return LineSearch.of(text, matchesCase);
    }
}
