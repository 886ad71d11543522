package dev.millrace.scheduler.alert;

import java.time.Duration;
import java.util.Optional;

/** How an attempt to send a message ended. */
sealed interface Attempt {
    /** The receiver has taken the message. */
    record Taken(Optional<Integer> status) implements Attempt {}

    /**
     * The receiver has not taken it.
     *
     * @param asked delay that the receiver has asked for
     * @param isFinal whether it is useless to try again
     */
    record Failed(Optional<Integer> status, String error, Optional<Duration> asked, boolean isFinal)
            implements Attempt {}
}
