package dev.millrace.scheduler.run.step;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** A position in the history of a run, which is ordered by the end of steps. */
public record HistoryPosition(Instant ended, UUID id) {
    private static final UUID LEAST_ID = new UUID(0, 0);
    /** Position before all steps. */
    public static final HistoryPosition BEGINNING = new HistoryPosition(Instant.EPOCH, LEAST_ID);

    public HistoryPosition {
        requireNonNull(ended, "ended");
        requireNonNull(id, "id");
    }

    public static HistoryPosition of(Step step) {
        return new HistoryPosition(step.times().ended().orElseThrow(), step.id().value());
    }

    /** A position before all steps that ended less than {@code overlap} before this one. */
    public HistoryPosition back(Duration overlap) {
        return before(ended.minus(overlap));
    }

    /** The position before all steps that ended at a time or later. */
    static HistoryPosition before(Instant time) {
        return new HistoryPosition(time, LEAST_ID);
    }
}
