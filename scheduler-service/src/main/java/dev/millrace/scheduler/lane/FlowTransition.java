package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/**
 * The change of an existing flow by a batch.
 *
 * @param version version of the flow on which the batch relies
 * @param transitions number of transitions in the batch, at least one
 * @param end present if the flow ends
 */
record FlowTransition(RunId run, long version, int transitions, Optional<Outcome> end) {}
