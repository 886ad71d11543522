/**
 * Pending runs: those that flows start without waiting for them, failure flows, and runs that wait for their turn under
 * a limit. Any scheduler may begin them. This package also contains the time limits of runs.
 */
@NullMarked
package dev.millrace.scheduler.start;

import org.jspecify.annotations.NullMarked;
