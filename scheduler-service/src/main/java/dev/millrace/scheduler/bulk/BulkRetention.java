package dev.millrace.scheduler.bulk;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import java.time.Duration;

/** Declares how long bulk operations are kept after their end. */
public final class BulkRetention {
    /** Deleted in small batches, because each operation takes its list of runs along, which may be long. */
    public static final RetentionRule OPERATIONS = OldRows.of(
                    "bulk_operation",
                    "Operations on many runs",
                    Since.time("ended_at"),
                    Age.setting("millrace.retention.bulk-operations", Duration.ofDays(14)))
            .inBatchesOf(10);

    private BulkRetention() {}
}
