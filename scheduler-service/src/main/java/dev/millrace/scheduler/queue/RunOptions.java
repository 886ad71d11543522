package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * What is asked for with a run beside its target and its input, carried whole. {@code SpecReader} reads it from a request. An option that
 * concerns more than the begin of the run is a component of {@link KeptOptions}.
 *
 * @param job of the root job; a flow's steps inherit its priority
 * @param delay wait before the run may begin
 * @param traceparent W3C trace context; empty for none
 * @param kept what stays with the run; the limit of {@code job} among it
 */
public record RunOptions(JobOptions job, Optional<Duration> delay, String traceparent, KeptOptions kept) {
    public RunOptions {
        requireNonNull(job, "job");
        requireNonNull(delay, "delay");
        requireNonNull(traceparent, "traceparent");
        kept = kept.with(job.limit());
    }
}
