package dev.millrace.scheduler.eventhandler;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/**
 * An action with the values of a message in it.
 *
 * @param startedRun the id that the run to start gets
 */
record PlannedAction(ActionKind kind, JsonValue details, Optional<RunId> startedRun) {
    PlannedAction {
        requireNonNull(kind, "kind");
        requireNonNull(details, "details");
        requireNonNull(startedRun, "startedRun");
    }
}
