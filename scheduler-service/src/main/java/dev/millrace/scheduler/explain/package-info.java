/** Why runs do not go on: what each of their steps waits for. */
@NullMarked
package dev.millrace.scheduler.explain;

import org.jspecify.annotations.NullMarked;
