package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.text.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The limit that a job waits for before workers may claim it. Jobs of a folder with the same key form one line, ordered by
 * priority and age. The numbers of the job at the head of the line decide when it may leave the line.
 *
 * @param key names the line in its folder; in the whole workspace if it begins with {@value #OF_WORKSPACE}
 * @param max maximum number of jobs that have left the line and not ended, including this one; absent for no such limit
 * @param rate maximum number of jobs of the line that may begin within a period; absent for no such limit
 */
public record JobLimit(String key, OptionalInt max, Optional<Rate> rate) {
    /** Maximum length of a key, in characters. */
    public static final int KEY_LENGTH_MAX = 256;
    /** Largest number of jobs that may run at a time. */
    public static final int MAX_LIMIT = 1_000_000;
    /** Beginning of keys that all folders of a workspace share. Whoever uses one may do so in the whole workspace. */
    public static final String OF_WORKSPACE = "/";
    /** Prefix of the tags of waiting jobs. Workers are not expected to serve such tags. */
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
     * At most {@code count} jobs begin within a period. Jobs without a rate are not counted.
     *
     * @param per length of the period
     */
    public record Rate(int count, Duration per) {
        /** Largest number of jobs per period. The beginning of each job is stored for the whole period. */
        public static final int COUNT_LIMIT = 10_000;
        /** Longest period of a rate. */
        public static final Duration PER_LIMIT = Duration.ofDays(30);

        public Rate {
            requireInRange("count", count, COUNT_LIMIT);
            if (per.toMillis() < 1 || per.compareTo(PER_LIMIT) > 0) {
                throw new IllegalArgumentException(
                        "per: " + Durations.text(per) + " (expected: 1ms to " + Durations.text(PER_LIMIT) + ")");
            }
        }
    }

    /** Returns whether all folders of a workspace share lines with this key. */
    public static boolean isOfWorkspace(String key) {
        return key.startsWith(OF_WORKSPACE);
    }

    /** Returns the tag under which a job of the folder waits for its limit, in place of its own tag. */
    public String tag(Workspace workspace, String folder) {
        return prefix(workspace) + (isOfWorkspace(key) ? Folder.NONE : folder) + "/" + key;
    }

    /** Returns the beginning of the tags of all limits of the workspace. */
    public static String prefix(Workspace workspace) {
        return TAG + workspace.name() + "/";
    }

    /** Returns whether jobs with this tag wait for a limit. */
    public static boolean isTag(String tag) {
        return tag.startsWith(TAG);
    }

    /** Returns the key of the line that a tag stands for. */
    public static String keyOf(String tag) {
        int folder = tag.indexOf('/', TAG.length()) + 1;
        return tag.substring(tag.indexOf('/', folder) + 1);
    }

    private static void requireInRange(String name, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: 1 to " + max + ")");
        }
    }
}
