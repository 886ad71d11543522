/**
 * Concurrency and rate limits of jobs. A limited job stands in the queue under a tag that no worker serves, until a keeper gives the job its own tag
 * back.
 */
@NullMarked
package dev.millrace.scheduler.limit;

import org.jspecify.annotations.NullMarked;
