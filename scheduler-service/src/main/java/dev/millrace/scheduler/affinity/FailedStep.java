package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.lane.StepsStatement;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RunId;

/** A step that fails because its group will never get its worker. */
record FailedStep(RunId run, String stepKey, JobError error) implements StepsStatement.StepRow {}
