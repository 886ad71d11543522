package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.RunRowsStatement;
import dev.millrace.scheduler.queue.core.RunId;

/**
 * A pending run that turns out to be under a limit.
 *
 * @param version version of the row that the input, and therefore the limit, was read from
 */
record LimitedRun(RunId run, long version, String limitKey) implements RunRowsStatement.RunRow {}
