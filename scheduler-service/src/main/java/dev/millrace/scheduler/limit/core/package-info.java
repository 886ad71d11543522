/** How far a line of jobs under a limit may go on. */
@NullMarked
package dev.millrace.scheduler.limit.core;

import org.jspecify.annotations.NullMarked;
