package dev.millrace.scheduler.retention;

import java.time.Duration;

/** How long one table keeps its rows. The feature that fills the table declares the rule as a constant. */
public sealed interface RetentionRule permits OldRows, OldDays {
    /** Name of the table, and of the rule. */
    String table();

    /** What the rows are, in words for people. */
    String holds();

    /** Column from which the age of a row counts. */
    Since since();

    /** Age at which a row is removed. */
    Age age();

    /** Time between two sweeps. */
    Duration interval();
}
