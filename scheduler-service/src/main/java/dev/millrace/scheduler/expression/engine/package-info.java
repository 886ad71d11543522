/** Evaluator process: all engines behind one pair of streams. The scheduler refers to its main class only by name. */
@NullMarked
package dev.millrace.scheduler.expression.engine;

import org.jspecify.annotations.NullMarked;
