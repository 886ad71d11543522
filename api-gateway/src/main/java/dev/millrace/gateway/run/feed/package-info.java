/** Runs as they change, for many readers: one stream from the scheduler serves all tabs of a caller. */
@NullMarked
package dev.millrace.gateway.run.feed;

import org.jspecify.annotations.NullMarked;
