/**
 * JavaScript's operators on single values, in Java, so that most conditions and sums need no engine. All other
 * operations are left to the engine.
 */
@NullMarked
package dev.millrace.scheduler.expression.javascript.operators;

import org.jspecify.annotations.NullMarked;
