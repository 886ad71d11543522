/** The dialect {@code conductor}: Conductor's workflow definitions. See {@code docs/reference/conductor-dialect.md}. */
@NullMarked
package dev.millrace.scheduler.flow.dialect.conductor;

import org.jspecify.annotations.NullMarked;
