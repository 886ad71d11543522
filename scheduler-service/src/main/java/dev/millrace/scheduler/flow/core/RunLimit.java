package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;

/** The limit on how many runs go on at a time that a run is under. */
public sealed interface RunLimit {
    /** Most characters of a key. */
    int KEY_LENGTH_MAX = 256;

    /** The flow asks for none. */
    record None() implements RunLimit {}

    /** At most {@code runsMax} runs of the flow with this key. */
    record Limited(String key, int runsMax) implements RunLimit {}

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
            case RunKey.Known(String key) -> of(limit.max(), key);
        };
    }

    private static RunLimit of(int runsMax, String key) {
        return key.length() > KEY_LENGTH_MAX
                ? new Unusable(JobError.permanent(
                        "InvalidKey",
                        "The concurrency key has " + key.length() + " characters (expected: at most " + KEY_LENGTH_MAX
                                + ")."))
                : new Limited(key, runsMax);
    }
}
