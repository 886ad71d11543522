/** The dialect {@code conductor}: workflow definitions of Conductor, described in {@code docs/reference/conductor-dialect.md}. */
@NullMarked
package dev.millrace.scheduler.flow.dialect.conductor;

import org.jspecify.annotations.NullMarked;
