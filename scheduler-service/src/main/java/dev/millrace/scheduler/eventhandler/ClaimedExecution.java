package dev.millrace.scheduler.eventhandler;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * What this scheduler is to decide, or to do.
 *
 * @param run that has published the message; absent for a message of a topic
 * @param runName its name; empty for a message of a topic
 * @param message absent once it is decided
 * @param plan what to do; absent until it is decided
 * @param startedRun the id of the run to start
 */
record ClaimedExecution(
        Key key,
        Workspace workspace,
        String event,
        Optional<RunId> run,
        String runName,
        ExecutionState state,
        Optional<String> message,
        String action,
        Optional<String> plan,
        Optional<RunId> startedRun,
        Instant notedAt) {
    /** Names an execution. */
    record Key(UUID handler, UUID message, int number) {
        Key {
            requireNonNull(handler, "handler");
            requireNonNull(message, "message");
        }

        /** Text that no other execution has, for request ids. */
        String text() {
            return handler + "/" + message + "/" + number;
        }
    }

    ClaimedExecution {
        requireNonNull(key, "key");
        requireNonNull(workspace, "workspace");
        requireNonNull(event, "event");
        requireNonNull(run, "run");
        requireNonNull(runName, "runName");
        requireNonNull(state, "state");
        requireNonNull(message, "message");
        requireNonNull(action, "action");
        requireNonNull(plan, "plan");
        requireNonNull(startedRun, "startedRun");
        requireNonNull(notedAt, "notedAt");
    }
}
