/** The result cache: results that are kept for a time and end equal steps and runs without running them. */
@NullMarked
package dev.millrace.scheduler.cache;

import org.jspecify.annotations.NullMarked;
