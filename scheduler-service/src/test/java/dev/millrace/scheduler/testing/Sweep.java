package dev.millrace.scheduler.testing;

import dev.millrace.scheduler.config.RetentionConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.retention.Retention;
import dev.millrace.scheduler.retention.RetentionRule;
import java.util.List;
import java.util.Map;

/** Sweeps tables by rules at once, even if they are not due. */
public final class Sweep {
    private Sweep() {}

    public static void now(Database database, RetentionRule... rules) {
        database.run(context -> context.execute("update retention_sweep set due_at = now()"));
        try (Retention retention = new Retention(database, new RetentionConfig(Map.of()), List.of(rules))) {
            retention.runOnce();
        }
    }
}
