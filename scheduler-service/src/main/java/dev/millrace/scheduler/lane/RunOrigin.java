package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.RunRelation;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/**
 * Where a run comes from.
 *
 * @param stepKey step of the other run; empty for none
 * @param waitId of child_run: that of the row of the other run that waits for its end
 * @param depth of child_run: how many runs stand above it, each of which waits for the one below
 */
public record RunOrigin(
        RunId run, RunId origin, RunRelation relation, String stepKey, Optional<JobId> waitId, int depth) {}
