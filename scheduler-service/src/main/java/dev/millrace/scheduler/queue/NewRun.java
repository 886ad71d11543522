package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;

/**
 * A run to be accepted.
 *
 * @param id made by the caller, so that it can be found again whatever happens to the answer
 * @param target what to run
 * @param name path of the script or flow, or name of the handler, for people
 * @param input a JSON object, checked
 * @param options of the root job; a flow's steps inherit its priority
 * @param delay wait before it may begin
 * @param traceparent W3C trace context; empty for none
 * @param env of a flow: laid over its environment, checked; absent for none
 */
public record NewRun(
        RunId id,
        RunTarget target,
        String name,
        Json input,
        JobOptions options,
        Optional<Duration> delay,
        String traceparent,
        Optional<Json> env) {
    public NewRun {
        requireNonNull(id, "id");
        requireNonNull(target, "target");
        requireNonNull(name, "name");
        requireNonNull(input, "input");
        requireNonNull(options, "options");
        requireNonNull(delay, "delay");
        requireNonNull(traceparent, "traceparent");
        requireNonNull(env, "env");
    }

    /** In the environment of the flow. */
    public NewRun(
            RunId id,
            RunTarget target,
            String name,
            Json input,
            JobOptions options,
            Optional<Duration> delay,
            String traceparent) {
        this(id, target, name, input, options, delay, traceparent, Optional.empty());
    }
}
