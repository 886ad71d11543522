/**
 * Schedules: triggers that start runs at certain times. {@link dev.millrace.scheduler.schedule.Schedules} is what callers
 * ask for; {@link dev.millrace.scheduler.schedule.ScheduleLoop} fires the ticks.
 */
@NullMarked
package dev.millrace.scheduler.schedule;

import org.jspecify.annotations.NullMarked;
