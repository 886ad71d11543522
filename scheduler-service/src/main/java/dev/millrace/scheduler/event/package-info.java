/**
 * Events: changes of runs, steps, waits, workers, flows and scripts, in the order of their commits, for whoever follows a
 * workspace.
 *
 * <p>Lanes store the events of runs in the flush that makes the change, and only for workspaces that somebody follows
 * ({@code Recording}). A reader is served once every lane of every scheduler records for its workspace.
 */
@NullMarked
package dev.millrace.scheduler.event;

import org.jspecify.annotations.NullMarked;
