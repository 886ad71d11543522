package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.RunRelation;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/**
 * The run from which another run was made.
 *
 * @param stepKey step of the other run; empty for none
 * @param waitId for child_run, id of the other run's wait for the end of this run
 * @param depth for child_run, the number of runs above it that each wait for the next
 */
public record RunOrigin(
        RunId run, RunId origin, RunRelation relation, String stepKey, Optional<JobId> waitId, int depth) {}
