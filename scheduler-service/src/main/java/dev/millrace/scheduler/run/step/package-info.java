/** The steps of runs, as callers see them. */
@NullMarked
package dev.millrace.scheduler.run.step;

import org.jspecify.annotations.NullMarked;
