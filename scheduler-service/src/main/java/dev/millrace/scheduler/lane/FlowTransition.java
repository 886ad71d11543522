package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/**
 * What a batch does to a flow that was there before it.
 *
 * @param version the flow's version that the batch relies on
 * @param transitions how many transitions the batch makes, at least one
 * @param end present where the flow ends
 */
record FlowTransition(RunId run, long version, int transitions, Optional<Outcome> end) {}
