/**
 * Concurrency and rate limits of jobs. A limited job waits in the queue under its limit's tag, which no worker serves.
 * {@link dev.millrace.scheduler.limit.ConcurrencyLimiter} releases the job by restoring its own tag.
 */
@NullMarked
package dev.millrace.scheduler.limit;

import org.jspecify.annotations.NullMarked;
