/**
 * Operations on existing runs, such as pause, retry and skip: the statements of each, and the records of who requested
 * it.
 */
@NullMarked
package dev.millrace.scheduler.operation;

import org.jspecify.annotations.NullMarked;
