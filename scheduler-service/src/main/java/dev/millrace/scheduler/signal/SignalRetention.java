package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.RunConditions;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** How long signals are kept. */
public final class SignalRetention {
    /** What a signal has brought is in the history; the signals themselves are for waits of runs that go on, or are retried. */
    public static final RetentionRule SIGNALS = OldRows.of(
                    "signal",
                    "Signals and answers to runs that have ended",
                    Since.id("run_id"),
                    Age.setting("millrace.retention.signals", Duration.ofDays(7)))
            .where("not " + RunConditions.isHeld("t.run_id"));

    public static final List<TableRetention> TABLES =
            List.of(SIGNALS, new NoRule("server_secret", "a row for each kind of secret"));

    private SignalRetention() {}
}
