/** The pure decision how far the queue of a limit advances. */
@NullMarked
package dev.millrace.scheduler.limit.core;

import org.jspecify.annotations.NullMarked;
