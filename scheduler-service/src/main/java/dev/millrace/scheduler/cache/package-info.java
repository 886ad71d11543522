/** Results that are kept for a time, and end the same step or run later without running it. */
@NullMarked
package dev.millrace.scheduler.cache;

import org.jspecify.annotations.NullMarked;
