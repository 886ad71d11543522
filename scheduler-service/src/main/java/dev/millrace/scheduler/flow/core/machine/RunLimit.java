package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.OptionalInt;

/** The limit that applies to a run. */
public sealed interface RunLimit {
    /** Maximum length of a key, in characters. */
    int KEY_LENGTH_MAX = 256;

    /** The flow has no limit. */
    record None() implements RunLimit {}

    /**
     * A limit that the run shares with all runs of the flow that have the same key.
     *
     * @param runsMax maximum number of these runs in progress; absent for no such limit
     * @param rate maximum number of these runs that begin within a period; absent for no such limit
     */
    record Limited(String key, OptionalInt runsMax, Optional<JobLimit.Rate> rate) implements RunLimit {}

    /** The key could not be computed or is not usable. */
    record Unusable(JobError error) implements RunLimit {}

    static RunLimit of(FlowModel model, RunId run, Json input) {
        return model.definition()
                .options()
                .concurrency()
                .map(limit -> of(limit, FlowState.fresh(model, run, input)))
                .orElseGet(None::new);
    }

    private static RunLimit of(FlowOptions.Concurrency limit, FlowState fresh) {
        return switch (RunKey.of("concurrency key", limit.key(), fresh)) {
            case RunKey.Unusable(JobError error) -> new Unusable(error);
            case RunKey.Known(String key) -> of(limit, key);
        };
    }

    private static RunLimit of(FlowOptions.Concurrency limit, String key) {
        return key.length() > KEY_LENGTH_MAX
                ? new Unusable(JobError.permanent(
                        "InvalidKey",
                        "The concurrency key has " + key.length() + " characters (expected: at most " + KEY_LENGTH_MAX
                                + ")."))
                : new Limited(key, limit.max(), limit.rate());
    }
}
