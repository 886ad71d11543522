/**
 * Triggers of events: flows and scripts that start when something happens to runs, steps, workers or definitions of their
 * workspace.
 */
@NullMarked
package dev.millrace.scheduler.eventtrigger;

import org.jspecify.annotations.NullMarked;
