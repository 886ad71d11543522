package dev.millrace.scheduler.run.service;

import java.time.Duration;

/**
 * How long a follower of a run waits until it looks for changes that other schedulers made. A run that waits for days, with
 * its page open in twenty tabs, is looked at less often. Changes of this scheduler wake the follower at once.
 */
final class HealingPause {
    static final Duration SHORTEST = Duration.ofMillis(500);

    private static final Duration QUIET = Duration.ofSeconds(5);
    private static final Duration QUIET_PAUSE = Duration.ofSeconds(1);
    private static final Duration SILENT = Duration.ofMinutes(1);
    private static final Duration SILENT_PAUSE = Duration.ofSeconds(2);

    private HealingPause() {}

    /**
     * @param quiet time since the last change
     * @param isRunning whether code of the run runs, which may print at any time
     */
    static Duration after(Duration quiet, boolean isRunning) {
        if (quiet.compareTo(SILENT) >= 0) {
            return isRunning ? QUIET_PAUSE : SILENT_PAUSE;
        }
        return isRunning || quiet.compareTo(QUIET) < 0 ? SHORTEST : QUIET_PAUSE;
    }
}
