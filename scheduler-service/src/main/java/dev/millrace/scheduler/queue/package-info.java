/** The interface of the queue: submit runs, operate on them, and follow their progress. */
@NullMarked
package dev.millrace.scheduler.queue;

import org.jspecify.annotations.NullMarked;
