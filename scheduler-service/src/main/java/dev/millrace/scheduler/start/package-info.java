/**
 * Pending runs: those that flows start without waiting for them, failure flows, and runs that wait for their turn under a limit. Any scheduler begins
 * them. Also the time limits of runs.
 */
@NullMarked
package dev.millrace.scheduler.start;

import org.jspecify.annotations.NullMarked;
