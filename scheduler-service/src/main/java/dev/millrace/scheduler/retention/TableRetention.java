package dev.millrace.scheduler.retention;

/** How long the rows of one table are kept. The feature that fills the table declares it. */
public sealed interface TableRetention permits RetentionRule, NoRule {
    /** Name of the table. */
    String table();
}
