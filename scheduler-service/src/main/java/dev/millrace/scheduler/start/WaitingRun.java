package dev.millrace.scheduler.start;

import dev.millrace.scheduler.queue.core.QueuedJob;
import java.util.Optional;

/** A run that has yet to be started; {@code version} is where its flow counts on from. */
record WaitingRun(QueuedJob root, long version, Optional<String> limitKey) {}
