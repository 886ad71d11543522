package dev.millrace.scheduler.event;

import dev.millrace.scheduler.queue.core.RunId;

/**
 * A run of which a flush may end steps, or the run itself.
 *
 * @param name name of the run; empty if the flush does not know it
 */
record EndedIn(RunId run, String name) {}
