package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.SessionId;

/**
 * Room for one job.
 *
 * @param session whose worker has the room
 * @param group name of the slot group within the session
 */
public record Seat(SessionId session, String group) {
    public Seat {
        requireNonNull(session, "session");
        requireNonNull(group, "group");
    }
}
