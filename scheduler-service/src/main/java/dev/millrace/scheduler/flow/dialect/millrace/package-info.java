/** The dialect {@code millrace}, in YAML or JSON. See {@code docs/reference/millrace-dialect.md}. */
@NullMarked
package dev.millrace.scheduler.flow.dialect.millrace;

import org.jspecify.annotations.NullMarked;
