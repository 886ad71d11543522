package dev.millrace.scheduler.retention;

import java.time.Duration;

/** How long one table keeps its rows. */
public sealed interface RetentionRule extends TableRetention permits OldRows, OldDays, WholeDays {
    /** What the rows are, for people. */
    String holds();

    /** Column from which the age of a row counts. */
    Since since();

    /** Age at which a row is removed. */
    Age age();

    /** Time between two sweeps. */
    Duration interval();
}
