package dev.millrace.scheduler.flow.core.machine;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.graph.HandledFlow;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.Json;

/**
 * A run to start on its own. Its step ends as a job does, with {@link FlowEvent.StepEnded}, once the run is accepted: its result is
 * {@code {"run_id": …}}.
 *
 * @param flow path of the flow, whose current version is taken
 */
public record StartRun(StepKey key, String flow, Json input) implements QueueEntry {
    public StartRun {
        requireNonNull(key, "key");
        requireNonNull(flow, "flow");
        requireNonNull(input, "input");
    }

    /** Whether it is started because a flow inside the run has failed. */
    public boolean isFailureFlow() {
        return key.text().endsWith("." + HandledFlow.FAILURE_FLOW);
    }
}
