/** Runs as callers see them: submitted, read, listed, watched and cancelled. */
@NullMarked
package dev.millrace.scheduler.run;

import org.jspecify.annotations.NullMarked;
