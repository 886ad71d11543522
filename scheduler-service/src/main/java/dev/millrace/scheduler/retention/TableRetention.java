package dev.millrace.scheduler.retention;

/** What becomes of the rows of one table as time goes by. The feature that fills the table declares it. */
public sealed interface TableRetention permits RetentionRule, NoRule {
    /** Name of the table. */
    String table();
}
