/**
 * The single writers. A lane takes everything that changes the state of its runs in batches, and makes each batch durable in one
 * transaction and one round trip: results, the flows' new positions, successors (already leased where a worker has room) and claims.
 */
@NullMarked
package dev.millrace.scheduler.lane;

import org.jspecify.annotations.NullMarked;
