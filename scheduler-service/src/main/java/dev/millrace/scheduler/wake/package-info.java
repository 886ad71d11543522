/** What wakes the lanes: the notifications of other schedulers, and the time of delayed jobs. */
@NullMarked
package dev.millrace.scheduler.wake;

import org.jspecify.annotations.NullMarked;
