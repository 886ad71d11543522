package dev.millrace.scheduler.audit;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import dev.millrace.scheduler.retention.WholeDays;
import java.time.Duration;
import java.util.List;

/** How long audit events are kept. */
public final class AuditRetention {
    public static final RetentionRule EVENTS = new WholeDays(
            "audit_event",
            "Who did what, and who was refused",
            Since.id("id"),
            Age.setting("millrace.retention.audit", Duration.ofDays(365)));

    public static final List<TableRetention> TABLES = List.of(EVENTS);

    private AuditRetention() {}
}
