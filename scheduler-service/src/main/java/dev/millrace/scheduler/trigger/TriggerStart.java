package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;
import java.time.Instant;
import java.util.Optional;

/**
 * An entry of the history of a trigger.
 *
 * @param id orders the entries, and becomes the id of the run unless the flow merges submissions
 * @param occurrence what happened: a tick, a message, a delivery
 * @param run the accepted run
 * @param reason why there is no run, as a full sentence; empty if there is one
 * @param occurredAt when it happened
 * @param notedAt when it was noted
 */
public record TriggerStart(
        RunId id,
        String occurrence,
        StartState state,
        Optional<RunId> run,
        String reason,
        Instant occurredAt,
        Instant notedAt) {
    public TriggerStart {
        requireNonNull(id, "id");
        requireNonNull(occurrence, "occurrence");
        requireNonNull(state, "state");
        requireNonNull(run, "run");
        requireNonNull(reason, "reason");
        requireNonNull(occurredAt, "occurredAt");
        requireNonNull(notedAt, "notedAt");
    }
}
