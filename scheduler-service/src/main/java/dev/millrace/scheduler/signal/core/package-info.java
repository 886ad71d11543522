/** What waits wait for, and what signals do to them. Pure. */
@NullMarked
package dev.millrace.scheduler.signal.core;

import org.jspecify.annotations.NullMarked;
