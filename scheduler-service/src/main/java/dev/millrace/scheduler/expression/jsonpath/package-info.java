/** Conductor's {@code ${…}}: paths into the data of tasks and of the workflow. */
@NullMarked
package dev.millrace.scheduler.expression.jsonpath;

import org.jspecify.annotations.NullMarked;
