package dev.millrace.scheduler.quota.core;

import java.time.Duration;
import java.util.Locale;

/**
 * Why a call goes beyond a quota.
 *
 * @param who the workspace or token, as a person would call it
 * @param quota name of the quota
 * @param max its value
 * @param what it counts, for example {@code submitted runs a second}
 * @param retryAfter time after which the same call may succeed
 */
public record Refusal(String who, String quota, long max, String what, Duration retryAfter) {
    private static final double MILLIS_PER_SECOND = 1_000;

    /** A full sentence for the caller. */
    public String message() {
        return String.format(
                Locale.ROOT,
                "%s may have %,d %s (quota %s), and has reached that: nothing was done. Try again in %.1f s, or ask an owner of the installation for a higher quota.",
                who,
                max,
                what,
                quota,
                Math.max(0.1, retryAfter.toMillis() / MILLIS_PER_SECOND));
    }
}
