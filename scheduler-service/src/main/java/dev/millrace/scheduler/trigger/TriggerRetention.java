package dev.millrace.scheduler.trigger;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** How long triggers and their history are kept. */
public final class TriggerRetention {
    /** Only entries that nothing is left to do for. */
    public static final RetentionRule STARTS = OldRows.of(
                    "trigger_start",
                    "History of triggers",
                    Since.time("noted_at"),
                    Age.setting("millrace.retention.trigger-starts", Duration.ofDays(14)))
            .where("t.state not in (" + StartState.WAITING.code() + ", " + StartState.CLAIMED.code() + ")");

    public static final List<TableRetention> TABLES = List.of(
            STARTS,
            new NoRule("trigger", "what developers have written, with a limit for each workspace"),
            new NoRule("trigger_use", "goes with its trigger"),
            new NoRule("trigger_version", "goes with its trigger; the newest versions of each are kept"));

    private TriggerRetention() {}
}
