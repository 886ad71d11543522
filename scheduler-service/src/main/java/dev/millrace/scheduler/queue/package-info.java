/** What the queue offers: submit and cancel runs, and hear how they go. */
@NullMarked
package dev.millrace.scheduler.queue;

import org.jspecify.annotations.NullMarked;
