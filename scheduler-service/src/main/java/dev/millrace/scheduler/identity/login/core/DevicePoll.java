package dev.millrace.scheduler.identity.login.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Decides what a program is told that asks for its token. */
public enum DevicePoll {
    /** Nobody has decided. */
    PENDING,
    /** Nobody has decided, and the program asks too often. */
    SLOW_DOWN,
    DENIED,
    EXPIRED,
    APPROVED;

    /** Time between two polls that a program is told at first. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);
    /** What each poll that comes too early adds to the interval. */
    public static final Duration SLOWER = Duration.ofSeconds(5);
    /** By so much a poll may come early, because networks delay one poll more than the next. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    /**
     * What is known when a program polls.
     *
     * @param polledAt time of the poll before; absent for the first
     * @param isApproved what the user has decided; absent while nobody has
     */
    public record State(
            Instant expiresAt, Duration interval, Optional<Instant> polledAt, Optional<Boolean> isApproved) {}

    public static DevicePoll decide(State state, Instant now) {
        if (!now.isBefore(state.expiresAt())) {
            return EXPIRED;
        }
        if (state.isApproved().isPresent()) {
            return state.isApproved().get() ? APPROVED : DENIED;
        }
        boolean isEarly = state.polledAt()
                .filter(last -> last.plus(state.interval()).minus(TOLERANCE).isAfter(now))
                .isPresent();
        return isEarly ? SLOW_DOWN : PENDING;
    }
}
