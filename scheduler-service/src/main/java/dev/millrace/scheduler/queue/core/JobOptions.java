package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.text.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * How a job is queued and run.
 *
 * @param tag routes the job to workers
 * @param priority higher priorities run earlier; {@link #PRIORITY_MIN} to {@link #PRIORITY_MAX}
 * @param timeout longest time that one attempt may run
 * @param retry how failed attempts are retried
 * @param limit the limit that the job waits for; absent for none
 */
public record JobOptions(String tag, int priority, Duration timeout, RetryPolicy retry, Optional<JobLimit> limit) {
    public static final int PRIORITY_MIN = -1_000;
    public static final int PRIORITY_MAX = 1_000;
    /** Maximum length of a tag that a caller gives, in characters. */
    public static final int TAG_LENGTH_MAX = 128;
    /** Beginnings of tags that only the scheduler makes: of reserved and limited jobs, and of jobs of one workspace. */
    private static final String OWN_TAGS = "@~";
    /** Maximum length of what the scheduler puts before a tag. */
    private static final int ROUTE_LENGTH_MAX = 100;
    /** Longest timeout of an attempt. */
    public static final Duration TIMEOUT_LIMIT = Duration.ofDays(30);

    public JobOptions {
        requireNonNull(retry, "retry");
        requireNonNull(limit, "limit");
        if (tag.isEmpty() || tag.length() > TAG_LENGTH_MAX + (isCallers(tag) ? 0 : ROUTE_LENGTH_MAX)) {
            throw new IllegalArgumentException(
                    "tag: \"" + tag + "\" (expected: 1 to " + TAG_LENGTH_MAX + " characters)");
        }
        if (priority < PRIORITY_MIN || priority > PRIORITY_MAX) {
            throw new IllegalArgumentException(
                    "priority: " + priority + " (expected: " + PRIORITY_MIN + " to " + PRIORITY_MAX + ")");
        }
        if (timeout.toMillis() <= 0 || timeout.compareTo(TIMEOUT_LIMIT) > 0) {
            throw new IllegalArgumentException("timeout: " + Durations.text(timeout)
                    + " (expected: more than 0s, at most " + Durations.text(TIMEOUT_LIMIT) + ")");
        }
    }

    /** Creates options without a limit. */
    public JobOptions(String tag, int priority, Duration timeout, RetryPolicy retry) {
        this(tag, priority, timeout, retry, Optional.empty());
    }

    /** Returns whether callers, and workers, may use this tag. */
    public static boolean isCallers(String tag) {
        return tag.isEmpty() || OWN_TAGS.indexOf(tag.charAt(0)) < 0;
    }

    /**
     * Returns the tag that a caller gave, from that under which a job waits: without the workspace, session or group
     * that the scheduler put before it. The tag of a limit has no such tag.
     */
    public static String callersTag(String tag) {
        String rest = tag;
        while (!isCallers(rest) && rest.indexOf('/') >= 0) {
            rest = rest.substring(rest.indexOf('/') + 1);
        }
        return rest;
    }

    /** Returns these options with another tag. */
    public JobOptions withTag(String other) {
        return new JobOptions(other, priority, timeout, retry, limit);
    }

    /** Returns these options with another limit. */
    public JobOptions with(Optional<JobLimit> other) {
        return new JobOptions(tag, priority, timeout, retry, other);
    }
}
