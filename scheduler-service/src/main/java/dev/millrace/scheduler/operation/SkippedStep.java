package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.lane.StepsStatement;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;

/** A live step that is to be skipped. */
record SkippedStep(RunId run, String stepKey, Json result, String reason) implements StepsStatement.StepRow {}
