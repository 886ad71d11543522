package dev.millrace.scheduler.quota;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** How long quotas are kept. */
public final class QuotaRetention {
    public static final List<TableRetention> TABLES =
            List.of(new NoRule("workspace_quota", "a row for each workspace with quotas"));

    private QuotaRetention() {}
}
