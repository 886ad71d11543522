/** Decides what signals do to waits. Pure. */
@NullMarked
package dev.millrace.scheduler.signal.core;

import org.jspecify.annotations.NullMarked;
