/** JavaScript's operators on single values, in Java: most conditions and sums need no engine. What they do not know is left to it. */
@NullMarked
package dev.millrace.scheduler.expression.javascript.operators;

import org.jspecify.annotations.NullMarked;
