package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;

/**
 * The keys that the options of a flow yield for one run.
 *
 * @param cache how the run uses the result cache
 * @param limit the limit that applies to the run
 */
public record RunKeys(CacheUse.Asking cache, RunLimit limit) {
    /** Whether the run may begin as soon as it is accepted: no limit applies to it, and its cache key is usable. */
    public boolean letBegin() {
        return limit instanceof RunLimit.None && !(cache instanceof CacheUse.Asking.Unusable);
    }

    /** Evaluates the keys. Must be called off the lanes unless {@link FlowModel#hasPlainKeys}. */
    public static RunKeys of(FlowModel model, RunId run, Json input) {
        return new RunKeys(CacheUse.of(model, run, input), RunLimit.of(model, run, input));
    }
}
