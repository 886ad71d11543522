package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Instant;
import java.util.Optional;

/** An occurrence whose run this scheduler is to submit. */
public record ClaimedStart(
        TriggerId trigger,
        String occurrence,
        RunId id,
        Optional<RunId> cancels,
        Optional<Json> input,
        Instant notedAt) {
    public ClaimedStart {
        requireNonNull(trigger, "trigger");
        requireNonNull(occurrence, "occurrence");
        requireNonNull(id, "id");
        requireNonNull(cancels, "cancels");
        requireNonNull(input, "input");
        requireNonNull(notedAt, "notedAt");
    }
}
