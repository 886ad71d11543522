package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a task is queued and run. Absent values take their defaults when the flow is resolved.
 *
 * @param deleteAfterUse whether the task's input, result and logs are deleted after the run has ended
 * @param limit maximum number of such jobs that workers hold at a time, or that begin within a period
 * @param overrides evaluates to null or to an object that replaces the timeout, the retry policy and the limit for one
 *     job; see {@link JobOverrides#read}. Evaluated when the step begins
 */
public record TaskOptions(
        Optional<Template> tag,
        int priority,
        Optional<Duration> timeout,
        RetryPolicy retry,
        Optional<Cache> cache,
        boolean deleteAfterUse,
        Optional<Limit> limit,
        Optional<Template> overrides) {
    /** Default options. */
    public static final TaskOptions DEFAULT = new TaskOptions(Optional.empty(), 0, Optional.empty(), RetryPolicy.NONE);

    public TaskOptions {
        requireNonNull(tag, "tag");
        requireNonNull(timeout, "timeout");
        requireNonNull(retry, "retry");
        requireNonNull(cache, "cache");
        requireNonNull(limit, "limit");
        requireNonNull(overrides, "overrides");
    }

    /** Returns these options without retries. */
    public TaskOptions withoutRetry() {
        return new TaskOptions(tag, priority, timeout, RetryPolicy.NONE, cache, deleteAfterUse, limit, overrides);
    }

    /** Returns these options with overrides for each job. */
    public TaskOptions overriddenBy(Optional<Template> object) {
        return new TaskOptions(tag, priority, timeout, retry, cache, deleteAfterUse, limit, object);
    }

    /** Creates options without overrides. */
    public TaskOptions(
            Optional<Template> tag,
            int priority,
            Optional<Duration> timeout,
            RetryPolicy retry,
            Optional<Cache> cache,
            boolean deleteAfterUse,
            Optional<Limit> limit) {
        this(tag, priority, timeout, retry, cache, deleteAfterUse, limit, Optional.empty());
    }

    /** Creates options without a cache, a limit or deletion. */
    public TaskOptions(Optional<Template> tag, int priority, Optional<Duration> timeout, RetryPolicy retry) {
        this(tag, priority, timeout, retry, Optional.empty(), false, Optional.empty());
    }

    /**
     * A limit that all jobs with the same key share, across the runs of a folder.
     *
     * @param key absent to use the handler or the script version that the task runs
     * @param max maximum number of jobs at a time; absent for no such limit
     * @param rate maximum number of jobs that begin within a period; absent for no such limit
     */
    public record Limit(Optional<Template> key, OptionalInt max, Optional<JobLimit.Rate> rate) {
        public Limit {
            requireNonNull(key, "key");
            requireNonNull(max, "max");
            requireNonNull(rate, "rate");
            if (max.isEmpty() && rate.isEmpty()) {
                throw new IllegalArgumentException("a limit has neither max nor rate (expected: one of them)");
            }
        }

        /** Whether all folders of the workspace share the limit, as the beginning of its key says. */
        public boolean isOfWorkspace() {
            return key.filter(given -> switch (given) {
                        case Template.Constant(JsonValue value) ->
                            value.kind() == JsonValue.Kind.STRING && JobLimit.isOfWorkspace(value.string());
                        case Template.Text text ->
                            text.parts().getFirst() instanceof Template.Part.Literal(String begin)
                                    && JobLimit.isOfWorkspace(begin);
                        default -> false;
                    })
                    .isPresent();
        }
    }

    /**
     * Caches a result: the same code with the same key then yields that result without running.
     *
     * @param ttl how long the result is kept
     * @param key what the result depends on besides the code; absent for the whole input
     */
    public record Cache(Duration ttl, Optional<Template> key) {
        public Cache {
            requireNonNull(ttl, "ttl");
            requireNonNull(key, "key");
            if (!ttl.isPositive() || ttl.compareTo(FlowLimits.CACHE_TTL_MAX) > 0) {
                throw new IllegalArgumentException(
                        "ttl: " + ttl + " (expected: more than 0s, at most " + FlowLimits.CACHE_TTL_MAX + ")");
            }
        }
    }
}
