package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/** A live step that is to leave the queue; with a reason, it leaves a row of history as cancelled. */
record WithdrawnStep(RunId run, String stepKey, Optional<JobError> reason) {}
