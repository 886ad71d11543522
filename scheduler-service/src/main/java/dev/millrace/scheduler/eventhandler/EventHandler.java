package dev.millrace.scheduler.eventhandler;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A handler of an event.
 *
 * @param path name, whose part before the first slash is the folder
 * @param definition as its author wrote it
 * @param actor who created or last changed it
 * @param credential the token whose rights it has; absent if the actor had none
 * @param version raised by each change
 */
record EventHandler(
        UUID id,
        Workspace workspace,
        String path,
        HandlerDefinition definition,
        String actor,
        Optional<UUID> credential,
        long version,
        Instant changedAt) {
    EventHandler {
        requireNonNull(id, "id");
        requireNonNull(workspace, "workspace");
        requireNonNull(path, "path");
        requireNonNull(definition, "definition");
        requireNonNull(actor, "actor");
        requireNonNull(credential, "credential");
        requireNonNull(changedAt, "changedAt");
    }
}
