/** The vocabulary of the queue: ids, jobs, outcomes and retry decisions. Pure values without I/O. */
@NullMarked
package dev.millrace.scheduler.queue.core;

import org.jspecify.annotations.NullMarked;
