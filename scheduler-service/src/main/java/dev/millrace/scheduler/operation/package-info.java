/** Operations on existing runs, such as pause, retry and skip: what each of them writes, and the record of who asked for it. */
@NullMarked
package dev.millrace.scheduler.operation;

import org.jspecify.annotations.NullMarked;
