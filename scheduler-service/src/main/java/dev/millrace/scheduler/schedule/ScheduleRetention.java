package dev.millrace.scheduler.schedule;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** How long schedules and their backfills are kept. */
public final class ScheduleRetention {
    public static final RetentionRule BACKFILLS = OldRows.of(
            "schedule_backfill",
            "Backfills of schedules, after their end",
            Since.time("ended_at"),
            Age.setting("millrace.retention.backfills", Duration.ofDays(14)));

    public static final List<TableRetention> TABLES =
            List.of(BACKFILLS, new NoRule("schedule", "goes with its trigger, by a foreign key"));

    private ScheduleRetention() {}
}
