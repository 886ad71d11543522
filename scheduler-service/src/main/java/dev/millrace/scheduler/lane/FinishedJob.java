package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.Outcome;

/**
 * A leased job that ends.
 *
 * @param runMicros duration of the last attempt in microseconds, as the worker measured it; negative if it never began
 */
record FinishedJob(LeasedJob lease, Outcome outcome, long runMicros, String workerName) {}
