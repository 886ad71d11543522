/** What running jobs share through the scheduler: mutexes of their workspace, and data of their run. */
@NullMarked
package dev.millrace.scheduler.jobapi;

import org.jspecify.annotations.NullMarked;
