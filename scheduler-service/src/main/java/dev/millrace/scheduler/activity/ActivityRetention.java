package dev.millrace.scheduler.activity;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** Declares how long activity is kept. */
public final class ActivityRetention {
    public static final RetentionRule MINUTES = OldRows.of(
            "activity_minute",
            "Activity of workspaces by the minute",
            Since.time("minute"),
            Age.fixed(Duration.ofDays(2)));

    public static final List<TableRetention> TABLES = List.of(MINUTES);

    private ActivityRetention() {}
}
