/** Positions, filters and the events themselves. */
@NullMarked
package dev.millrace.scheduler.event.core;

import org.jspecify.annotations.NullMarked;
