package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;

/** Declares how long the records of operations are kept. */
public final class OperationRetention {
    public static final RetentionRule OPERATIONS = OldRows.withRuns("run_operation", "What was done to runs");

    private OperationRetention() {}
}
