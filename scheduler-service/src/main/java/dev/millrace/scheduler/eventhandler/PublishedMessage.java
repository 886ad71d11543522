package dev.millrace.scheduler.eventhandler;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;

/**
 * A message that a step publishes.
 *
 * @param id of the step's row
 * @param name of the run
 */
record PublishedMessage(JobId id, RunId run, Workspace workspace, String name, String event, Json message) {}
