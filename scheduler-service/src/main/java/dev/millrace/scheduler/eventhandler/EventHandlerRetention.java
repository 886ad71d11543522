package dev.millrace.scheduler.eventhandler;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** How long event handlers and what they did are kept. */
public final class EventHandlerRetention {
    /** Only entries that nothing is left to do for. */
    public static final RetentionRule EXECUTIONS = OldRows.of(
                    "event_execution",
                    "History of event handlers",
                    Since.time("noted_at"),
                    Age.setting("millrace.retention.event-executions", Duration.ofDays(14)))
            .where("t.ended_at is not null");

    public static final List<TableRetention> TABLES = List.of(
            EXECUTIONS,
            new NoRule("event_handler", "people delete handlers; a workspace has at most 1,000"),
            new NoRule(
                    "event_handler_position",
                    "goes with its handler, by a foreign key; a row for each partition of its topic"));

    private EventHandlerRetention() {}
}
