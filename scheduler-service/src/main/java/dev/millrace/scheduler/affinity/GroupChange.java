package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.Optional;
import java.util.UUID;

/** What becomes of a group of steps that keep to one worker. */
sealed interface GroupChange {
    RunId run();

    /** It begins, with its first job. */
    record Begun(RunId run, AffinityGroup group) implements GroupChange {}

    /** Its first job has ended: the worker that ran it runs the others. */
    record Decided(RunId run, UUID id, SessionId session, String workerName) implements GroupChange {}

    /** Its first job has gone without telling a worker: another live step takes its place. */
    record FirstReplaced(RunId run, UUID id, String stepKey) implements GroupChange {}

    /** It is over; where {@code id} is absent, all of the run are. */
    record Ended(RunId run, Optional<UUID> id) implements GroupChange {}
}
