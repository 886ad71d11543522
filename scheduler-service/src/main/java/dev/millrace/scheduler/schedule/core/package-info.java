/** When schedules tick, and what becomes of a tick. Everything follows from the arguments. */
@NullMarked
package dev.millrace.scheduler.schedule.core;

import org.jspecify.annotations.NullMarked;
