package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;

/**
 * Where a run comes from.
 *
 * @param relation restart, rerun_from, start_run or failure_flow
 * @param stepKey step of the other run; empty for none
 */
record RunOrigin(RunId run, RunId origin, String relation, String stepKey) {}
