package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;

/** An event in the life of a run. */
public sealed interface FlowEvent {
    /** The run was accepted. */
    record Started() implements FlowEvent {}

    /** The job or wait of a step ended, and the queue does not retry it. */
    record StepEnded(StepKey key, Outcome outcome) implements FlowEvent {}

    /** A user skips a step that is live, or whose delay is live, and provides its result. */
    record SkipRequested(StepKey key, Json result) implements FlowEvent {}

    /** A user paused the run: live steps may end, and nothing begins. */
    record Paused() implements FlowEvent {}

    /** A user resumed a paused run. */
    record Resumed() implements FlowEvent {}

    /** A user canceled the run. */
    record CancelRequested(JobError reason) implements FlowEvent {}
}
