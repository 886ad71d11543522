package dev.millrace.client;

import java.time.Instant;
import java.util.Optional;

/**
 * A piece of the output of a job: several lines, or part of one.
 *
 * @param runId its run
 * @param jobId its job
 * @param step key of the step; empty for the root
 * @param attempt attempt that printed it
 * @param stream where it comes from
 * @param text the text
 * @param time time when the scheduler received it
 * @param position place in the order of arrival
 */
public record LogChunk(
        String runId,
        String jobId,
        String step,
        int attempt,
        LogStream stream,
        String text,
        Optional<Instant> time,
        long position)
        implements RunEvent {
    static LogChunk of(dev.millrace.proto.log.v1.LogChunk message) {
        return new LogChunk(
                message.getRunId(),
                message.getJobId(),
                message.getStep(),
                message.getAttempt(),
                Messages.stream(message.getStream()),
                message.getText(),
                Messages.time(message.hasTime(), message.getTime()),
                message.getPosition());
    }
}
