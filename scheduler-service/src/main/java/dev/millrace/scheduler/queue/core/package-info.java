/** The words of the queue: ids, jobs, outcomes, retry decisions. Pure values without I/O. */
@NullMarked
package dev.millrace.scheduler.queue.core;

import org.jspecify.annotations.NullMarked;
