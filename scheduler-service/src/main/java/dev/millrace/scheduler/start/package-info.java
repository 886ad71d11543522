/**
 * Starts runs that other runs or limits have put off, and tells runs what became of those they wait for: what is to be done stands in the
 * database, and any scheduler does it.
 */
@NullMarked
package dev.millrace.scheduler.start;

import org.jspecify.annotations.NullMarked;
