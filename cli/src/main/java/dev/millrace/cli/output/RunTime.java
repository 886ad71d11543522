package dev.millrace.cli.output;

import dev.millrace.cli.client.Run;
import java.time.Duration;

/** Says how long a run took, and apart from that how long it waited before. */
public final class RunTime {
    /** Shorter waits are not worth their place. */
    private static final Duration WAIT_SHOWN_MIN = Duration.ofMillis(100);

    private RunTime() {}

    /** For example {@code 500 ms}; empty until the run starts, and if it did not wait. */
    public static String waited(Run run) {
        return run.waitDuration()
                .filter(wait -> !wait.isZero())
                .map(Durations::text)
                .orElse("");
    }

    /** For example {@code 2.60 s + 500 ms queued}; empty until the run ends. */
    public static String text(Run run) {
        return run.duration()
                .map(took -> Durations.text(took)
                        + run.waitDuration()
                                .filter(wait -> wait.compareTo(WAIT_SHOWN_MIN) >= 0)
                                .map(wait -> " + " + Durations.text(wait) + " queued")
                                .orElse(""))
                .orElse("");
    }
}
