/**
 * Traces: the spans of runs, made of their history when they have ended, and what workers and scripts add to them. See ADR
 * 111.
 */
@NullMarked
package dev.millrace.scheduler.trace;

import org.jspecify.annotations.NullMarked;
