package dev.millrace.scheduler.alert;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** How long messages of alerts are kept. */
public final class AlertRetention {
    public static final RetentionRule DELIVERIES = OldRows.of(
            "alert_delivery",
            "Messages of alerts",
            Since.time("created_at"),
            Age.setting("millrace.retention.alerts", Duration.ofDays(14)));

    public static final List<TableRetention> TABLES =
            List.of(DELIVERIES, new NoRule("alert", "people delete alerts; a workspace has at most 100"));

    private AlertRetention() {}
}
