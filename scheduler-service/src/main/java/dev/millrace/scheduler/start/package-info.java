/** Starts runs that other runs or limits have put off: what is to be started stands in the queue, and any scheduler starts it. */
@NullMarked
package dev.millrace.scheduler.start;

import org.jspecify.annotations.NullMarked;
