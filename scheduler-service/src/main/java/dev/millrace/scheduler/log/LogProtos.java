package dev.millrace.scheduler.log;

import dev.millrace.scheduler.rpc.TimeProtos;

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

    private static dev.millrace.proto.log.v1.LogChunk.Stream stream(LogStream stream) {
        return switch (stream) {
            case STDOUT -> dev.millrace.proto.log.v1.LogChunk.Stream.STREAM_STDOUT;
            case STDERR -> dev.millrace.proto.log.v1.LogChunk.Stream.STREAM_STDERR;
            case SYSTEM -> dev.millrace.proto.log.v1.LogChunk.Stream.STREAM_SYSTEM;
            case TRACE -> dev.millrace.proto.log.v1.LogChunk.Stream.STREAM_TRACE;
        };
    }
}
