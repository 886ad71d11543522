/**
 * The queues of tags: what waits in each and why, how fast jobs come and go, and pauses. {@link
 * dev.millrace.scheduler.tag.PausedTags} has the pauses in memory.
 */
@NullMarked
package dev.millrace.scheduler.tag;

import org.jspecify.annotations.NullMarked;
