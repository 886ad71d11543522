/**
 * The read side of runs: the state that callers see, and how it is read. Subpackages depend on this package, never the
 * reverse.
 */
@NullMarked
package dev.millrace.scheduler.run;

import org.jspecify.annotations.NullMarked;
