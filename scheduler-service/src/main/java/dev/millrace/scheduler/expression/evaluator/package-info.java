/**
 * Child processes that evaluate what is no plain path. This package knows no language: a language sends a {@link Request} from the
 * scheduler and answers it as an {@link Engine} in the child.
 */
@NullMarked
package dev.millrace.scheduler.expression.evaluator;

import org.jspecify.annotations.NullMarked;
