package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * An iteration of a loop as it stood when the call returned.
 *
 * @param number from 0
 * @param key for example {@code count[3]}
 * @param state running as long as one of its steps is, and failed if one has failed
 * @param createTime time when its first step was enqueued
 * @param startTime time when its first step began to run; empty before
 * @param endTime time when its last step ended; empty before
 */
public record Iteration(
        int number,
        String key,
        StepState state,
        Optional<Instant> createTime,
        Optional<Instant> startTime,
        Optional<Instant> endTime) {
    public Iteration {
        requireNonNull(key, "key");
        requireNonNull(state, "state");
        requireNonNull(createTime, "createTime");
        requireNonNull(startTime, "startTime");
        requireNonNull(endTime, "endTime");
    }

    static Iteration of(dev.millrace.proto.run.v1.Iteration message) {
        return new Iteration(
                message.getNumber(),
                message.getKey(),
                Messages.state(message.getState()),
                Messages.time(message.hasCreateTime(), message.getCreateTime()),
                Messages.time(message.hasStartTime(), message.getStartTime()),
                Messages.time(message.hasEndTime(), message.getEndTime()));
    }
}
