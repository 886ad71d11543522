package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.run.v1.RunSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What can be asked for with a run. Immutable: {@code RunOptions.DEFAULT.withPriority(5).withRequestId("order-17")}.
 */
public final class RunOptions {
    /** No wishes. */
    public static final RunOptions DEFAULT =
            new RunOptions(RunSpec.getDefaultInstance(), Optional.empty(), Optional.empty());

    /** All options but those below; target and input are empty. */
    private final RunSpec spec;

    private final Optional<Map<String, @Nullable Object>> env;
    private final Optional<String> requestId;

    private RunOptions(RunSpec spec, Optional<Map<String, @Nullable Object>> env, Optional<String> requestId) {
        this.spec = spec;
        this.env = env;
        this.requestId = requestId;
    }

    /**
     * Name of the request: later calls with the same id and input return the same run. By default each call has a new one.
     */
    public RunOptions withRequestId(String id) {
        return new RunOptions(spec, env, Optional.of(id));
    }

    /** Tag that routes the job to workers; by default the tag of the target. */
    public RunOptions withTag(String tag) {
        return with(spec.toBuilder().setTag(tag));
    }

    /** From -1000 to 1000; jobs with a higher priority run earlier. */
    public RunOptions withPriority(int priority) {
        return with(spec.toBuilder().setPriority(priority));
    }

    /** Time before which the job does not run. */
    public RunOptions withRunAfter(Instant time) {
        return with(spec.toBuilder().setRunAfter(Times.message(time)));
    }

    /** Longest time that one attempt may run. */
    public RunOptions withTimeout(Duration timeout) {
        return with(spec.toBuilder().setTimeout(Times.message(timeout)));
    }

    /** Retries after a failed attempt. */
    public RunOptions withRetry(RetryPolicy retry) {
        return with(spec.toBuilder().setRetry(retry.message()));
    }

    /** W3C trace context of the caller. */
    public RunOptions withTraceparent(String traceparent) {
        return with(spec.toBuilder().setTraceparent(traceparent));
    }

    /** With the W3C {@code tracestate} that the caller has beside its {@code traceparent}. */
    public RunOptions withTracestate(String tracestate) {
        return with(spec.toBuilder().setTracestate(tracestate));
    }

    /** Values that replace values of the flow's environment. */
    public RunOptions withEnv(Map<String, ?> values) {
        Map<String, @Nullable Object> copy = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        return new RunOptions(spec, Optional.of(copy), requestId);
    }

    /** Limit under which the job waits; only for scripts and handlers. */
    public RunOptions withLimit(JobLimit limit) {
        return with(spec.toBuilder().setLimit(limit.message()));
    }

    /** Longest time between acceptance and start. */
    public RunOptions withStartWithin(Duration longest) {
        return with(spec.toBuilder().setStartWithin(Times.message(longest)));
    }

    Optional<String> requestId() {
        return requestId;
    }

    /** A message with these options. */
    RunSpec.Builder spec(Json json) {
        RunSpec.Builder message = spec.toBuilder();
        env.ifPresent(values -> message.setEnv(json.write(values, "env")));
        return message;
    }

    private RunOptions with(RunSpec.Builder changed) {
        return new RunOptions(requireNonNull(changed, "changed").build(), env, requestId);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunOptions it
                && it.spec.equals(spec)
                && it.env.equals(env)
                && it.requestId.equals(requestId);
    }

    @Override
    public int hashCode() {
        return spec.hashCode() + 31 * (env.hashCode() + 31 * requestId.hashCode());
    }

    @Override
    public String toString() {
        return "RunOptions[requestId=" + requestId.orElse("") + ", env="
                + env.orElse(Map.of()).keySet() + ", " + spec.toString().strip().replace("\n", ", ") + "]";
    }
}
