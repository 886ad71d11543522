package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a job that is under a limit asks for before it may go to workers. Jobs of a workspace with the same key wait in one line, in the order of
 * priority and age; the numbers of the first in line decide when the line goes on.
 *
 * @param key names the line
 * @param max most jobs of the line that have been let go and have not ended, this one included; absent for no such limit
 * @param rate how many jobs of the line may begin in some time; absent for no such limit
 */
public record JobLimit(String key, OptionalInt max, Optional<Rate> rate) {
    /** Most characters of a key. */
    public static final int KEY_LENGTH_MAX = 256;
    /** Greatest number of jobs at a time. */
    public static final int MAX_LIMIT = 1_000_000;
    /** Nobody is expected to serve such a tag. */
    private static final String TAG = "@limit/";

    public JobLimit {
        requireNonNull(key, "key");
        requireNonNull(max, "max");
        requireNonNull(rate, "rate");
        if (key.isEmpty() || key.length() > KEY_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "key: \"" + key + "\" (expected: 1 to " + KEY_LENGTH_MAX + " characters)");
        }
        if (max.isEmpty() && rate.isEmpty()) {
            throw new IllegalArgumentException(
                    "limit of \"" + key + "\": neither max nor rate (expected: one of them)");
        }
        requireInRange("max", max.orElse(1), MAX_LIMIT);
    }

    /**
     * At most {@code count} jobs begin in each time of this length. Jobs that ask for no rate are not counted.
     *
     * @param per how long
     */
    public record Rate(int count, Duration per) {
        /** Greatest number of jobs in some time: the begin of each is kept as long. */
        public static final int COUNT_LIMIT = 10_000;
        /** Longest time that a rate is about. */
        public static final Duration PER_LIMIT = Duration.ofDays(30);

        public Rate {
            requireInRange("count", count, COUNT_LIMIT);
            if (per.toMillis() < 1 || per.compareTo(PER_LIMIT) > 0) {
                throw new IllegalArgumentException("per: " + per + " (expected: 1ms to " + PER_LIMIT + ")");
            }
        }
    }

    /** The tag under which the job waits in line, instead of its own. */
    public String tag(Workspace workspace) {
        return TAG + workspace.name() + "/" + key;
    }

    /** Whether jobs of this tag wait in line for a limit. */
    public static boolean isTag(String tag) {
        return tag.startsWith(TAG);
    }

    /** The key of the line that this tag stands for. */
    public static String keyOf(String tag) {
        return tag.substring(tag.indexOf('/', TAG.length()) + 1);
    }

    private static void requireInRange(String name, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: 1 to " + max + ")");
        }
    }
}
