/** Sources of wake-ups: notifications of other schedulers, and due times of jobs, waits and flows. */
@NullMarked
package dev.millrace.scheduler.wake;

import org.jspecify.annotations.NullMarked;
