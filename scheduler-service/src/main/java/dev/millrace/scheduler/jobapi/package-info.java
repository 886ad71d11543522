/** What running jobs share and ask the scheduler for: mutexes of their workspace, data of their run. */
@NullMarked
package dev.millrace.scheduler.jobapi;

import org.jspecify.annotations.NullMarked;
