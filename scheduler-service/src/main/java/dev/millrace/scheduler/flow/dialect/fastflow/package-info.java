/** The dialect {@code fastflow}: a graph of tasks, variables that are texts, and checks before a task begins. */
@NullMarked
package dev.millrace.scheduler.flow.dialect.fastflow;

import org.jspecify.annotations.NullMarked;
