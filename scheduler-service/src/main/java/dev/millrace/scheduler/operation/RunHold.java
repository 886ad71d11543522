package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.lane.RunRowsStatement;
import dev.millrace.scheduler.queue.core.RunId;

/** Whether a run is to be paused (true) or resumed. */
record RunHold(RunId run, boolean held) implements RunRowsStatement.RunRow {}
