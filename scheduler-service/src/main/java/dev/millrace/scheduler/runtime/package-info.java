/** Threads, clocks and bounds. Only this package starts threads or reads the time. */
@NullMarked
package dev.millrace.scheduler.runtime;

import org.jspecify.annotations.NullMarked;
