/** Descriptions of the states of jobs in the queue. */
@NullMarked
package dev.millrace.scheduler.explain.core;

import org.jspecify.annotations.NullMarked;
