/** Traces of runs, as a collector and as those see them who ask for a run. */
@NullMarked
package dev.millrace.e2e.trace;

import org.jspecify.annotations.NullMarked;
