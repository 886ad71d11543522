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
 */
public record NewRun(RunId id, RunTarget target, String name, Json input, RunOptions asked) {
    public NewRun {
        requireNonNull(id, "id");
        requireNonNull(target, "target");
        requireNonNull(name, "name");
        requireNonNull(input, "input");
        requireNonNull(asked, "asked");
    }

    /** Options of the root job. */
    public JobOptions options() {
        return asked.job();
    }

    public Optional<Duration> delay() {
        return asked.delay();
    }

    public String traceparent() {
        return asked.traceparent();
    }

    public KeptOptions kept() {
        return asked.kept();
    }
}
