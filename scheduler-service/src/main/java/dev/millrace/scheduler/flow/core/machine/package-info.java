/**
 * Decides what follows an event of a run: which steps begin and end, and what the run writes to the queue and the
 * history. Pure: without I/O, a clock or random numbers, so that each decision can be repeated.
 */
@NullMarked
package dev.millrace.scheduler.flow.core.machine;

import org.jspecify.annotations.NullMarked;
