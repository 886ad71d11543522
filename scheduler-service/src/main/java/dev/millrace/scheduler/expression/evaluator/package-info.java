/**
 * Child processes that evaluate all expressions except plain paths. This package knows no language. A language sends a
 * {@link Request} from the scheduler and evaluates it with an {@link Engine} in the child.
 */
@NullMarked
package dev.millrace.scheduler.expression.evaluator;

import org.jspecify.annotations.NullMarked;
