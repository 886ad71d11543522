package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.RunRelation;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/**
 * The run from which another run was made.
 *
 * @param relation relation to the other run
 * @param stepKey step of the other run; empty for none
 * @param waitId id of the other run's row that waits for the end of this run; absent if none does
 * @param depth number of runs above this one that each wait for the next; 0 if nobody waits for this run
 */
public record RunOrigin(
        RunId run, RunId origin, RunRelation relation, String stepKey, Optional<JobId> waitId, int depth) {}
