package dev.millrace.scheduler.eventtrigger;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** Why what is kept of triggers of events does not grow. */
public final class EventTriggerRetention {
    public static final List<TableRetention> TABLES = List.of(
            new NoRule("event_trigger", "goes with its trigger, by a foreign key"),
            new NoRule("event_trigger_reader", "one row for each workspace, which goes with its last active trigger"));

    private EventTriggerRetention() {}
}
