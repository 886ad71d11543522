/** Threads, clocks and bounds: the only place that starts threads or reads the time. */
@NullMarked
package dev.millrace.scheduler.runtime;

import org.jspecify.annotations.NullMarked;
