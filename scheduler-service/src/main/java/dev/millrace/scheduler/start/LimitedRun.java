package dev.millrace.scheduler.start;

import dev.millrace.scheduler.queue.core.RunId;

/**
 * A run that has yet to be started, and of which it is known now that it is under a limit.
 *
 * @param version of the row that its input, and so the limit, was read from
 */
record LimitedRun(RunId run, long version, String limitKey) {}
