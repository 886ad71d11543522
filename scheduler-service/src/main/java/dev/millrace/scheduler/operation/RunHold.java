package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.queue.core.RunId;

/** Whether a run is to be paused or to go on. */
record RunHold(RunId run, boolean held) {}
