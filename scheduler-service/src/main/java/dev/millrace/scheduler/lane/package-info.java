/**
 * The single writers. A lane takes everything that changes the state of its runs in batches, and commits each batch in
 * one transaction and one round trip: results, new positions of flows, successors (leased at once if a worker has room)
 * and claims.
 */
@NullMarked
package dev.millrace.scheduler.lane;

import org.jspecify.annotations.NullMarked;
