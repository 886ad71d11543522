/** Conductor's {@code ${…}}: paths into what tasks and the workflow hold. */
@NullMarked
package dev.millrace.scheduler.expression.jsonpath;

import org.jspecify.annotations.NullMarked;
