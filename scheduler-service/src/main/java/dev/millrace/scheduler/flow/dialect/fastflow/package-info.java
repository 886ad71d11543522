/** Compiles Fastflow definitions: a graph of tasks, variables that are texts, and checks before a task. */
@NullMarked
package dev.millrace.scheduler.flow.dialect.fastflow;

import org.jspecify.annotations.NullMarked;
