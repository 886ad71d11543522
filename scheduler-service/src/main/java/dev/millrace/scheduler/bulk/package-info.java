/**
 * Bulk operations: one operation on many runs, accepted with the list of runs and applied in batches, with progress.
 */
@NullMarked
package dev.millrace.scheduler.bulk;

import org.jspecify.annotations.NullMarked;
