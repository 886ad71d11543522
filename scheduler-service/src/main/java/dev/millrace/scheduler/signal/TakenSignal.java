package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.UUID;

/** A kept signal that a wait receives when it begins. */
record TakenSignal(RunId run, UUID signal, JobId taker) {}
