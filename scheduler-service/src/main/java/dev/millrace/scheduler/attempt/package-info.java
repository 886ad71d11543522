/** Attempts that ended without ending their jobs: kept beside the history, which knows the last one. */
@NullMarked
package dev.millrace.scheduler.attempt;

import org.jspecify.annotations.NullMarked;
