package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A change of an affinity group. */
sealed interface GroupChange {
    RunId run();

    /** The group; null if the change is about all groups of the run. */
    @Nullable UUID id();

    /** The group begins with its first job. */
    record Begun(RunId run, AffinityGroup group) implements GroupChange {
        @Override
        public UUID id() {
            return group.id();
        }
    }

    /** The first job has ended, and its worker runs the others. */
    record Decided(RunId run, UUID id, SessionId session, String workerName) implements GroupChange {}

    /** The first job is gone without having run on a worker, and another live step replaces it. */
    record FirstReplaced(RunId run, UUID id, String stepKey) implements GroupChange {}

    /** The group has ended; all groups of the run if {@code id} is null. */
    record Ended(RunId run, @Nullable UUID id) implements GroupChange {}
}
