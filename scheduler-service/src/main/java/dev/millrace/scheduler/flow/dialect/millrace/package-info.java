/** The dialect {@code millrace}: YAML or JSON, described in {@code docs/reference/millrace-dialect.md}. */
@NullMarked
package dev.millrace.scheduler.flow.dialect.millrace;

import org.jspecify.annotations.NullMarked;
