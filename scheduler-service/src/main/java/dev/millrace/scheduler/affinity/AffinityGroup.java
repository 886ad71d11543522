package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.queue.core.JobGroup;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.Optional;
import java.util.UUID;

/**
 * An affinity group of a run: steps that share a worker.
 *
 * @param id identifies the group and its folder
 * @param key of the container, or {@link dev.millrace.scheduler.flow.core.graph.AffinityRules#RUN}
 * @param firstKey step key of the job whose worker becomes the group's worker
 * @param session session of that worker; absent until the job has ended
 */
record AffinityGroup(UUID id, String key, String firstKey, Optional<SessionId> session) {
    AffinityGroup decidedBy(SessionId worker) {
        return new AffinityGroup(id, key, firstKey, Optional.of(worker));
    }

    AffinityGroup withFirst(String step) {
        return new AffinityGroup(id, key, step, session);
    }

    /** Returns how a job with this tag belongs to the group. */
    JobGroup member(String stepKey, String tag) {
        if (session.isPresent()) {
            return new JobGroup(id, Optional.of(JobGroup.route(session.get(), tag)));
        }
        return new JobGroup(
                id, stepKey.equals(firstKey) ? Optional.empty() : Optional.of(JobGroup.undecidedRoute(id, tag)));
    }
}
