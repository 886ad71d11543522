package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.Outcome;

/**
 * A leased job that ends.
 *
 * @param runMicros how long the last attempt ran, by the worker's measure; negative where it never began
 */
record FinishedJob(LeasedJob lease, Outcome outcome, long runMicros, String workerName) {}
