/** Start deadlines: runs that are canceled if they have not started in time. */
@NullMarked
package dev.millrace.scheduler.deadline;

import org.jspecify.annotations.NullMarked;
