package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.RunRelation;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/**
 * The run from which another run was made.
 *
 * @param relation what it is to the other run
 * @param stepKey step of the other run; empty for none
 * @param waitId of the row of the other run that waits for its end; absent where none does
 * @param depth how many runs stand above it, each of which waits for the one below; 0 where nobody waits for it
 */
public record RunOrigin(
        RunId run, RunId origin, RunRelation relation, String stepKey, Optional<JobId> waitId, int depth) {}
