package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.RunTrigger;
import java.time.Duration;
import java.util.Optional;

/**
 * The options of a run besides its target and its input, passed as a whole. A new option is a component here, which
 * {@code SpecReader} reads and the feature concerned uses.
 *
 * @param job options of the root job; the steps of a flow inherit its priority
 * @param delay wait before the run may begin
 * @param traceparent W3C trace context: the {@code traceparent}, then a blank and the {@code tracestate} if there is
 *     one; empty for none
 * @param kept options that are kept with the run beyond its begin
 */
public record RunOptions(JobOptions job, Optional<Duration> delay, String traceparent, KeptOptions kept) {
    public RunOptions {
        requireNonNull(job, "job");
        requireNonNull(delay, "delay");
        requireNonNull(traceparent, "traceparent");
        kept = kept.with(job.limit());
    }

    /** The same options of a run that a trigger starts. */
    RunOptions with(RunTrigger trigger) {
        return new RunOptions(job, delay, traceparent, kept.with(trigger));
    }
}
