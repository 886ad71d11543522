@NullMarked
package dev.millrace.scheduler.expression.evaluator;

import org.jspecify.annotations.NullMarked;
