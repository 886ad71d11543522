/**
 * What follows: decides on an event of a run which steps begin, which end, and what the run leaves in the queue and the history. Pure: no I/O, no
 * clock, no random numbers, so that each decision can be made again.
 */
@NullMarked
package dev.millrace.scheduler.flow.core.machine;

import org.jspecify.annotations.NullMarked;
