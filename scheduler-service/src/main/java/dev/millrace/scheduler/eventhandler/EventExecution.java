package dev.millrace.scheduler.eventhandler;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * What a handler has done with a message, or is about to do.
 *
 * @param id orders the entries
 * @param messageId the same for all actions of a message
 * @param run that has published the message; absent for a message of a topic
 * @param source topic, partition and offset of such a message; else empty
 * @param action empty until it is decided, and if nothing is done
 * @param startedRun the run that was started
 * @param reason why nothing was done, or what was; a full sentence
 */
record EventExecution(
        UUID id,
        UUID messageId,
        int number,
        String event,
        Optional<RunId> run,
        String source,
        ExecutionState state,
        String action,
        Optional<RunId> startedRun,
        String reason,
        Instant notedAt) {
    EventExecution {
        requireNonNull(id, "id");
        requireNonNull(messageId, "messageId");
        requireNonNull(event, "event");
        requireNonNull(run, "run");
        requireNonNull(source, "source");
        requireNonNull(state, "state");
        requireNonNull(action, "action");
        requireNonNull(startedRun, "startedRun");
        requireNonNull(reason, "reason");
        requireNonNull(notedAt, "notedAt");
    }
}
