package dev.millrace.scheduler.flow.core.machine;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;

/**
 * How a job or a run uses the result cache.
 *
 * @param key distinguishes calls of the same code: the input, or a value that the definition computes instead
 * @param ttl how long the result is kept
 */
public record CacheUse(Json key, Duration ttl) {
    public CacheUse {
        requireNonNull(key, "key");
        requireNonNull(ttl, "ttl");
    }

    /** Whether and how a job or a run uses the cache. */
    public sealed interface Asking {
        /** The definition asks for no cache. */
        record None() implements Asking {}

        /** The cache is used with this key. */
        record Asked(CacheUse use) implements Asking {}

        /** The key could not be computed. */
        record Unusable(JobError error) implements Asking {}
    }

    public static Asking of(FlowModel model, RunId run, Json input) {
        Optional<TaskOptions.Cache> cache = model.definition().options().cache();
        if (cache.isEmpty()) {
            return new Asking.None();
        }
        FlowState fresh = FlowState.fresh(model, run, input);
        Asking asking = of(cache.get(), JsonValue.of(input), Bindings.of(fresh, fresh.root()));
        return asking instanceof Asking.Asked(CacheUse use) ? new Asking.Asked(use.in(model.runEnv())) : asking;
    }

    /** Adds the run's own environment to the key, because results depend on it. */
    private CacheUse in(Optional<JsonValue> env) {
        return env.map(given -> new CacheUse(new Json("{\"env\":" + given + ",\"key\":" + key.text() + "}"), ttl))
                .orElse(this);
    }

    static Asking of(TaskOptions.Cache cache, JsonValue input, Bindings bindings) {
        Resolution key = cache.key().map(bindings::resolve).orElseGet(() -> new Resolution.Resolved(input));
        return switch (key) {
            case Resolution.Resolved resolved ->
                new Asking.Asked(new CacheUse(resolved.value().json(), cache.ttl()));
            case Resolution.Unresolved unresolved ->
                new Asking.Unusable(FlowErrors.unresolved("key of the cache", unresolved));
        };
    }
}
