package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.Optional;
import java.util.UUID;

/** A change of an affinity group. */
sealed interface GroupChange {
    RunId run();

    /** The group begins with its first job. */
    record Begun(RunId run, AffinityGroup group) implements GroupChange {}

    /** The first job has ended, and its worker runs the others. */
    record Decided(RunId run, UUID id, SessionId session, String workerName) implements GroupChange {}

    /** The first job is gone without having run on a worker, and another live step replaces it. */
    record FirstReplaced(RunId run, UUID id, String stepKey) implements GroupChange {}

    /** The group has ended; all groups of the run if {@code id} is absent. */
    record Ended(RunId run, Optional<UUID> id) implements GroupChange {}
}
