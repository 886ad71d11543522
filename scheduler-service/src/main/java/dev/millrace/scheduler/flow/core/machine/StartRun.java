package dev.millrace.scheduler.flow.core.machine;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.graph.HandledFlow;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.Json;

/**
 * A run to start without waiting for its end. After the run has been accepted, its step ends with
 * {@link FlowEvent.StepEnded} and the result {@code {"run_id": …}}.
 *
 * @param flow path of the flow; the run uses its current version
 */
public record StartRun(StepKey key, String flow, Json input) implements QueueEntry {
    public StartRun {
        requireNonNull(key, "key");
        requireNonNull(flow, "flow");
        requireNonNull(input, "input");
    }

    /** Returns whether the run starts because a flow inside this run has failed. */
    public boolean isFailureFlow() {
        return key.text().endsWith("." + HandledFlow.FAILURE_FLOW);
    }
}
