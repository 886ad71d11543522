package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Json;
import java.time.Duration;
import java.util.Optional;

/**
 * What is asked for with a run beside its target and its input, carried whole. A further option is a component here, which {@code SpecReader}
 * reads and whoever it concerns looks at.
 *
 * @param job of the root job; a flow's steps inherit its priority
 * @param delay wait before the run may begin
 * @param traceparent W3C trace context; empty for none
 * @param env of a flow: laid over its environment, checked; absent for none
 */
public record RunOptions(JobOptions job, Optional<Duration> delay, String traceparent, Optional<Json> env) {
    public RunOptions {
        requireNonNull(job, "job");
        requireNonNull(delay, "delay");
        requireNonNull(traceparent, "traceparent");
        requireNonNull(env, "env");
    }
}
