package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.QueuedJob;

/**
 * Event: a run is durable and undecided, as its next decision evaluates expressions. The run is pending in the
 * database, so whoever misses the event still finds the run.
 *
 * @param root root job of the run
 * @param model model of the run's flow, with the run's environment
 * @param version version of the run's row
 * @param isNew whether the run has no history: a rerun from a step, and a retry, begin with the steps that they keep
 */
public record RunAccepted(QueuedJob root, Json input, FlowModel model, long version, boolean isNew) {}
