/** Tests of the vocabulary of the queue. */
@NullMarked
package dev.millrace.scheduler.queue.core;

import org.jspecify.annotations.NullMarked;
