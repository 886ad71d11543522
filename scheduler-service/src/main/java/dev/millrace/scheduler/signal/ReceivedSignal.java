package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.core.RunSignal;
import java.util.Optional;

/**
 * A signal that a run has received.
 *
 * @param countsFor the wait that received it; absent if the signal is kept
 */
record ReceivedSignal(RunId run, RunSignal signal, Optional<JobId> countsFor) {}
