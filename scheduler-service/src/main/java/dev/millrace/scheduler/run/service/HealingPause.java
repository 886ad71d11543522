package dev.millrace.scheduler.run.service;

import java.time.Duration;

/**
 * How long a follower of a run waits until it looks for changes of which it was not told. All schedulers tell their changes
 * at once, but a message between them may get lost. A run that waits for days, with its page open in twenty tabs, is looked
 * at less often.
 */
final class HealingPause {
    static final Duration SHORTEST = Duration.ofMillis(500);

    private static final Duration QUIET = Duration.ofSeconds(5);
    private static final Duration QUIET_PAUSE = Duration.ofSeconds(2);
    private static final Duration SILENT = Duration.ofMinutes(1);
    private static final Duration SILENT_PAUSE = Duration.ofSeconds(10);

    private HealingPause() {}

    /** @param quiet time since the last change */
    static Duration after(Duration quiet) {
        if (quiet.compareTo(SILENT) >= 0) {
            return SILENT_PAUSE;
        }
        return quiet.compareTo(QUIET) < 0 ? SHORTEST : QUIET_PAUSE;
    }
}
