package dev.millrace.scheduler.attempt;

import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** Declares how long attempts are kept. */
public final class AttemptRetention {
    public static final RetentionRule ATTEMPTS =
            OldRows.withRuns("job_attempt", "Attempts that did not end their jobs");

    public static final List<TableRetention> TABLES = List.of(ATTEMPTS);

    private AttemptRetention() {}
}
