/** The read side of runs: what callers see of a run, and how it is read. The packages below it stand on it, and not the reverse. */
@NullMarked
package dev.millrace.scheduler.run;

import org.jspecify.annotations.NullMarked;
