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
 * @param id chosen by the caller, so that the run can be found even if the response is lost
 * @param target what to run
 * @param name path of the script or flow, or name of the handler, for people
 * @param input a JSON object, validated
 * @param asked options of the run
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
