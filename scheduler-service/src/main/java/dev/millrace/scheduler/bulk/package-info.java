/** Operations on many runs at once: accepted with the list of runs, worked off in batches, with progress. */
@NullMarked
package dev.millrace.scheduler.bulk;

import org.jspecify.annotations.NullMarked;
