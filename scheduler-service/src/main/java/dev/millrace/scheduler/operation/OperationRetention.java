package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** Declares how long the records of operations are kept. */
public final class OperationRetention {
    public static final RetentionRule OPERATIONS = OldRows.withRuns("run_operation", "What was done to runs");

    public static final List<TableRetention> TABLES = List.of(OPERATIONS);

    private OperationRetention() {}
}
