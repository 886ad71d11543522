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

/** The limit that a run is under: how many go on at a time, or begin in some time. */
public sealed interface RunLimit {
    /** Most characters of a key. */
    int KEY_LENGTH_MAX = 256;

    /** The flow asks for none. */
    record None() implements RunLimit {}

    /**
     * One that the run shares with all runs of the flow with its key.
     *
     * @param runsMax most of them that go on at a time; absent for no such limit
     * @param rate how many of them begin in some time; absent for no such limit
     */
    record Limited(String key, OptionalInt runsMax, Optional<JobLimit.Rate> rate) implements RunLimit {}

    /** The key has no value, or none that can be used. */
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
