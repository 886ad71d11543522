package dev.millrace.scheduler.run;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Times at which a run or step was accepted, began and ended. */
public record Times(Instant created, Optional<Instant> started, Optional<Instant> ended) {
    public Times {
        requireNonNull(created, "created");
        requireNonNull(started, "started");
        requireNonNull(ended, "ended");
    }

    public static Times created(Instant created) {
        return new Times(created, Optional.empty(), Optional.empty());
    }

    public Times withStarted(Optional<Instant> value) {
        return new Times(created, value, ended);
    }

    public Times withCreated(Instant value) {
        return new Times(value, started, ended);
    }

    /**
     * The times of a run: it starts when it is accepted or later. A rerun takes over containers that an earlier run has
     * opened, and the time before the rerun is none of its own.
     */
    public Times startedSinceCreated() {
        return withStarted(started.map(start -> start.isBefore(created) ? created : start));
    }

    /** Time between acceptance and start; never negative, even if the two come from different clocks. */
    public Optional<Duration> waited() {
        return started.map(start -> positive(Duration.between(created, start)));
    }

    /** Time between start and end. */
    public Optional<Duration> ran() {
        return started.flatMap(start -> ended.map(end -> positive(Duration.between(start, end))));
    }

    private static Duration positive(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }
}
