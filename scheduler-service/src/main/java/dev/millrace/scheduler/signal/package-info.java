/** Waits of runs, and the signals and people that end them. */
@NullMarked
package dev.millrace.scheduler.signal;

import org.jspecify.annotations.NullMarked;
