package dev.millrace.scheduler.event;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;

/**
 * An event that a flush stores.
 *
 * @param name name of the run
 */
record EventRow(Workspace workspace, String type, RunId run, String name, String stepKey, Json detail) {}
