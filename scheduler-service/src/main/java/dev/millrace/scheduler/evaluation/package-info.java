/** What schedulers remember of evaluations; these themselves are in {@code expression.evaluator}. */
@NullMarked
package dev.millrace.scheduler.evaluation;

import org.jspecify.annotations.NullMarked;
