package dev.millrace.scheduler.event;

import dev.millrace.scheduler.config.RetentionConfig;
import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import dev.millrace.scheduler.retention.WholeDays;
import java.time.Duration;
import java.util.List;

/** How long events are kept. */
public final class EventRetention {
    /** Setting with the age of events. */
    public static final String SETTING = "millrace.retention.events";

    public static final Duration KEPT_DEFAULT = Duration.ofDays(3);

    public static final RetentionRule EVENTS = new WholeDays(
            "event", "Events of runs, workers, flows and scripts", Since.id("id"), Age.setting(SETTING, KEPT_DEFAULT));

    public static final List<TableRetention> TABLES = List.of(
            EVENTS,
            new NoRule("event_recording", "a row expires an hour after the last reader, or goes with its workspace"),
            new NoRule("event_log", "has one row"));

    /** How long events are kept in an installation with these settings. */
    public static Duration kept(RetentionConfig config) {
        return config.age(SETTING).orElse(KEPT_DEFAULT);
    }

    private EventRetention() {}
}
