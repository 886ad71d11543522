package dev.millrace.scheduler.start;

import dev.millrace.scheduler.queue.core.QueuedJob;
import java.util.Optional;

/** A pending run. {@code version} is the version from which its flow continues to count. */
record WaitingRun(QueuedJob root, long version, Optional<String> limitKey) {}
