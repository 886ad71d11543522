/** Metrics of the scheduler. {@code SchedulerMetrics} lists them. */
@NullMarked
package dev.millrace.scheduler.telemetry;

import org.jspecify.annotations.NullMarked;
