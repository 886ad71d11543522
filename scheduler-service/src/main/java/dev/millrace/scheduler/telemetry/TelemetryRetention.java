package dev.millrace.scheduler.telemetry;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** Retention of what metrics show. */
public final class TelemetryRetention {
    public static final List<TableRetention> TABLES =
            List.of(new NoRule("metric_snapshot", "a row for each kind of snapshot"));

    private TelemetryRetention() {}
}
