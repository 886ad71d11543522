package dev.millrace.scheduler.start;

import dev.millrace.scheduler.queue.core.QueuedJob;
import java.util.Optional;

/**
 * A pending run.
 *
 * @param version the version from which its flow continues to count
 * @param isDebounced whether the run waited for further submissions
 */
record WaitingRun(QueuedJob root, long version, Optional<String> limitKey, boolean isDebounced) {
    /** The version of a run that nothing has changed since it was accepted. */
    static final long FIRST_VERSION = 0;
}
