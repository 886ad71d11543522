package dev.millrace.scheduler.run.step;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** A place in the history of a run, which is read in the order in which steps ended. */
public record HistoryPosition(Instant ended, UUID id) {
    private static final UUID LEAST_ID = new UUID(0, 0);
    /** Before everything. */
    public static final HistoryPosition BEGINNING = new HistoryPosition(Instant.EPOCH, LEAST_ID);

    public HistoryPosition {
        requireNonNull(ended, "ended");
        requireNonNull(id, "id");
    }

    public static HistoryPosition of(Step step) {
        return new HistoryPosition(step.times().ended().orElseThrow(), step.id().value());
    }

    /** Everything that ended less than {@code overlap} before this place, and later. */
    public HistoryPosition back(Duration overlap) {
        return new HistoryPosition(ended.minus(overlap), LEAST_ID);
    }
}
