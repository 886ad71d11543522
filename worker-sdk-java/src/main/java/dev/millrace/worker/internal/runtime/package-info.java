/** Threads and timers of the worker. */
@NullMarked
package dev.millrace.worker.internal.runtime;

import org.jspecify.annotations.NullMarked;
