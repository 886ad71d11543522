/** The steps of runs as they stand. */
@NullMarked
package dev.millrace.scheduler.run.step;

import org.jspecify.annotations.NullMarked;
