package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a task is queued and run; what is absent takes its default when the flow is resolved.
 *
 * @param deleteAfterUse whether its input, its result and its logs go once the run has ended
 * @param limit how many jobs like it may be with workers, or begin in some time
 * @param overrides an object, or null, with what the job has in place of the timeout, the retry and the limit that stand here; see
 *     {@link JobOverrides#read}. Worked out when the step begins
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
    /** Nothing asked for. */
    public static final TaskOptions DEFAULT = new TaskOptions(Optional.empty(), 0, Optional.empty(), RetryPolicy.NONE);

    public TaskOptions {
        requireNonNull(tag, "tag");
        requireNonNull(timeout, "timeout");
        requireNonNull(retry, "retry");
        requireNonNull(cache, "cache");
        requireNonNull(limit, "limit");
        requireNonNull(overrides, "overrides");
    }

    /** The same, tried once only. */
    public TaskOptions withoutRetry() {
        return new TaskOptions(tag, priority, timeout, RetryPolicy.NONE, cache, deleteAfterUse, limit, overrides);
    }

    /** The same, with what each job has in place of them. */
    public TaskOptions overriddenBy(Optional<Template> object) {
        return new TaskOptions(tag, priority, timeout, retry, cache, deleteAfterUse, limit, object);
    }

    /** The same for all jobs. */
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

    /** Without a cache and a limit, and kept. */
    public TaskOptions(Optional<Template> tag, int priority, Optional<Duration> timeout, RetryPolicy retry) {
        this(tag, priority, timeout, retry, Optional.empty(), false, Optional.empty());
    }

    /**
     * A limit that jobs with the same key share, in whatever runs of the workspace.
     *
     * @param key absent for the handler, or the version of the script, that the task runs
     * @param max most jobs at a time; absent for no such limit
     * @param rate how many may begin in some time; absent for no such limit
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
    }

    /**
     * A result that is kept: the same code with the same key then results in it without being run.
     *
     * @param ttl how long
     * @param key what the result depends on, beside the code; absent for the whole input
     */
    public record Cache(Duration ttl, Optional<Template> key) {
        public Cache {
            requireNonNull(ttl, "ttl");
            requireNonNull(key, "key");
            if (!ttl.isPositive() || ttl.compareTo(FlowLimits.CACHE_TTL_MAX) > 0) {
                throw new IllegalArgumentException(
                        "ttl: " + ttl + " (expected: more than nothing, at most " + FlowLimits.CACHE_TTL_MAX + ")");
            }
        }
    }
}
