package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.SessionId;

/**
 * Room for one job.
 *
 * @param session whose worker has the room
 * @param group name of the slot group within the session
 */
public record SlotRef(SessionId session, String group) {
    public SlotRef {
        requireNonNull(session, "session");
        requireNonNull(group, "group");
    }
}
