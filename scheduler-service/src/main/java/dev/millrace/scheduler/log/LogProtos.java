package dev.millrace.scheduler.log;

import dev.millrace.proto.log.v1.LogMatch;
import dev.millrace.scheduler.rpc.TimeProtos;
import java.util.Optional;

/** Converts log chunks to messages. */
public final class LogProtos {
    private LogProtos() {}

    public static dev.millrace.proto.log.v1.LogChunk chunk(LogChunk chunk) {
        LogEntry entry = chunk.entry();
        return dev.millrace.proto.log.v1.LogChunk.newBuilder()
                .setRunId(entry.run().toString())
                .setJobId(entry.job().toString())
                .setStep(entry.stepKey())
                .setAttempt(entry.attempt())
                .setSequence(entry.sequence())
                .setStream(stream(entry.stream()))
                .setText(entry.text())
                .setTime(TimeProtos.timestamp(chunk.time()))
                .setPosition(chunk.position())
                .build();
    }

    static LogMatch match(LineSearch.Match match) {
        LogEntry entry = match.chunk().entry();
        return LogMatch.newBuilder()
                .setPosition(match.chunk().position())
                .setLine(match.line())
                .setJobId(entry.job().toString())
                .setStep(entry.stepKey())
                .setAttempt(entry.attempt())
                .setStream(stream(entry.stream()))
                .setText(match.excerpt())
                .setTime(TimeProtos.timestamp(match.chunk().time()))
                .build();
    }

    /** Empty for values that no stream has. */
    static Optional<LogStream> stream(dev.millrace.proto.log.v1.LogChunk.Stream stream) {
        return switch (stream) {
            case STREAM_STDOUT -> Optional.of(LogStream.STDOUT);
            case STREAM_STDERR -> Optional.of(LogStream.STDERR);
            case STREAM_SYSTEM -> Optional.of(LogStream.SYSTEM);
            case STREAM_TRACE -> Optional.of(LogStream.TRACE);
            case STREAM_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
        };
    }

    private static dev.millrace.proto.log.v1.LogChunk.Stream stream(LogStream stream) {
        return switch (stream) {
            case STDOUT -> dev.millrace.proto.log.v1.LogChunk.Stream.STREAM_STDOUT;
            case STDERR -> dev.millrace.proto.log.v1.LogChunk.Stream.STREAM_STDERR;
            case SYSTEM -> dev.millrace.proto.log.v1.LogChunk.Stream.STREAM_SYSTEM;
            case TRACE -> dev.millrace.proto.log.v1.LogChunk.Stream.STREAM_TRACE;
        };
    }
}
