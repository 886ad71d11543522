package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;

/** What can happen to a run. */
public sealed interface FlowEvent {
    /** The run was accepted. */
    record Started() implements FlowEvent {}

    /** The job of a step ended for good. */
    record StepEnded(StepKey key, Outcome outcome) implements FlowEvent {}

    /** Someone skips a step that is live, or before which a wait is, with a result for it. */
    record SkipRequested(StepKey key, Json result) implements FlowEvent {}

    /** Someone paused the run: what is live may end, and nothing begins. */
    record Paused() implements FlowEvent {}

    /** Someone lets a paused run go on. */
    record Resumed() implements FlowEvent {}

    /** Someone canceled the run. */
    record CancelRequested(JobError reason) implements FlowEvent {}
}
