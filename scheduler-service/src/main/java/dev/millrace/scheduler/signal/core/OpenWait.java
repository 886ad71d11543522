package dev.millrace.scheduler.signal.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobId;

/** A wait for events that is in progress. */
public record OpenWait(JobId id, String stepKey, WaitSpec spec) {
    public OpenWait {
        requireNonNull(id, "id");
        requireNonNull(stepKey, "stepKey");
        requireNonNull(spec, "spec");
    }
}
