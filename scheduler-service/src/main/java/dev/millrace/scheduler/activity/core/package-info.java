/** Counts of activity, and what follows from them. */
@NullMarked
package dev.millrace.scheduler.activity.core;

import org.jspecify.annotations.NullMarked;
