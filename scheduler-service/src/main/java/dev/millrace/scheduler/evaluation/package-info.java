/**
 * Persistent knowledge of schedulers about evaluations. The evaluations themselves are in {@code expression.evaluator}.
 */
@NullMarked
package dev.millrace.scheduler.evaluation;

import org.jspecify.annotations.NullMarked;
