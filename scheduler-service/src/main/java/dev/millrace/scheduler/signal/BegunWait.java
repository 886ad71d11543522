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
 * @param input what the wait is for
 * @param state {@code DELAYED} for a time, {@code SUSPENDED} for events, {@code HELD} for the end of a pause
 * @param time time from now until the wait ends; absent if it does not end by itself, or at {@code moment}
 * @param moment when the wait ends; absent if it does not end by itself, or after {@code time}
 */
public record BegunWait(QueuedJob job, Json input, JobState state, Optional<Duration> time, Optional<Instant> moment) {
    /** What an approval waits for, in the terms of waits. */
    private static final String APPROVAL = "approval";

    /** Returns whether people are asked for an approval. */
    public boolean isApproval() {
        return job.target().equals(APPROVAL);
    }

    /** Returns the title of an approval, in the words of the flow; empty if it has none. */
    public Optional<String> title() {
        return isApproval() ? WaitInput.read(input.text()).title() : Optional.empty();
    }

    /** Returns whether the wait ends by itself. */
    boolean isTimed() {
        return time.isPresent() || moment.isPresent();
    }
}
