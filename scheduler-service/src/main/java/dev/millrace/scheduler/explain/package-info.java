/** Explanations why runs make no progress: what each of their steps waits for. */
@NullMarked
package dev.millrace.scheduler.explain;

import org.jspecify.annotations.NullMarked;
