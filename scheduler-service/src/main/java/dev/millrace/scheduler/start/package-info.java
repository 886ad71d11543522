/**
 * Pending runs: those that flows start without waiting for them, failure flows, runs that wait for their turn under a
 * limit, and runs whose first decision evaluates expressions. Any scheduler may begin them. This package also contains the time limits of runs.
 */
@NullMarked
package dev.millrace.scheduler.start;

import org.jspecify.annotations.NullMarked;
