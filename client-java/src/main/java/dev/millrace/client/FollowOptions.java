package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;

/**
 * What a caller that follows a run wants.
 *
 * @param withLogs whether pieces of its log are among the events
 * @param foldsLoops whether the steps inside loops of more than 20 iterations are left out; the step of such a loop then has
 *     {@link Step#iterations}, and is an event again as they change
 * @param limit time after which a {@link TimedOutException} is thrown; empty for no limit
 */
public record FollowOptions(boolean withLogs, boolean foldsLoops, Optional<Duration> limit) {
    /** Everything, and no limit. */
    public static final FollowOptions DEFAULT = new FollowOptions(true, false, Optional.empty());

    public FollowOptions {
        requireNonNull(limit, "limit");
    }

    /** What is needed to wait for the end. */
    static FollowOptions end(Optional<Duration> limit) {
        return new FollowOptions(false, true, limit);
    }

    /** The same without the steps inside large loops. */
    public FollowOptions folded() {
        return new FollowOptions(withLogs, true, limit);
    }
}
