package dev.millrace.scheduler.submission;

import dev.millrace.scheduler.flow.core.definition.FlowOptions.Debounce;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.core.RunId;

/**
 * A submission that may be merged with others.
 *
 * @param id of the run, if it is the first
 * @param key of the submissions that are merged; across workspaces and flows
 * @param flowHash the version that it asks for
 */
record DebouncedRun(RunId id, String workspace, String key, String flowHash, NewRun run, Debounce debounce) {}
