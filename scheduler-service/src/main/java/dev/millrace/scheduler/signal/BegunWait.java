package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A wait that enters the queue.
 *
 * @param input what it waits for
 * @param state delayed, or suspended where it waits for events
 * @param time from now to its end; absent for none, or where {@code moment} says it
 * @param moment of its end
 */
record BegunWait(QueuedJob job, Json input, JobState state, Optional<Duration> time, Optional<Instant> moment) {
    /** Whether it ends by itself. */
    boolean isTimed() {
        return time.isPresent() || moment.isPresent();
    }
}
