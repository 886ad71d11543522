/** Ids of spans, and which steps of a run are traced. */
@NullMarked
package dev.millrace.scheduler.trace.core;

import org.jspecify.annotations.NullMarked;
