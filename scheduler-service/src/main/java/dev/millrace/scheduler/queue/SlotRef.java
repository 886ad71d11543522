package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.SessionId;

/**
 * The slot group of a session that has, or is to have, a job.
 *
 * @param session session of the worker
 * @param group name of the slot group within the session
 */
public record SlotRef(SessionId session, String group) {
    public SlotRef {
        requireNonNull(session, "session");
        requireNonNull(group, "group");
    }
}
