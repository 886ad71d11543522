/** The waits of runs, and the signals, answers and timers that end them. */
@NullMarked
package dev.millrace.scheduler.signal;

import org.jspecify.annotations.NullMarked;
