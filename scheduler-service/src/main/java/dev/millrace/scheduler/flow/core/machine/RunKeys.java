package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;

/**
 * What the keys of a flow's options say for one run.
 *
 * @param cache how the run uses the cache of results
 * @param limit the limit that it is under
 */
public record RunKeys(CacheUse.Asking cache, RunLimit limit) {
    /** Evaluates the keys: off the lanes, unless {@link FlowModel#hasPlainKeys}. */
    public static RunKeys of(FlowModel model, RunId run, Json input) {
        return new RunKeys(CacheUse.of(model, run, input), RunLimit.of(model, run, input));
    }
}
