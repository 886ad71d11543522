package dev.millrace.scheduler.bulk;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** Declares how long bulk operations are kept after their end. */
public final class BulkRetention {
    /** Deleted in small batches, because each operation takes its list of runs along, which may be long. */
    public static final RetentionRule OPERATIONS = OldRows.of(
                    "bulk_operation",
                    "Operations on many runs",
                    Since.time("ended_at"),
                    Age.setting("millrace.retention.bulk-operations", Duration.ofDays(14)))
            .inBatchesOf(10);

    public static final List<TableRetention> TABLES =
            List.of(OPERATIONS, new NoRule("bulk_item", "goes with its bulk_operation, by a foreign key"));

    private BulkRetention() {}
}
