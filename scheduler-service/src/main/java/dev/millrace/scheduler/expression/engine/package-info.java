/** The child process that evaluates: all engines behind one pair of streams. Nothing of the scheduler refers to it but by its name. */
@NullMarked
package dev.millrace.scheduler.expression.engine;

import org.jspecify.annotations.NullMarked;
