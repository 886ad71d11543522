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

/** Retention of signals. */
public final class SignalRetention {
    /**
     * Only waits of runs that continue or are retried need the signals themselves. The results of signals are in the
     * history.
     */
    public static final RetentionRule SIGNALS = OldRows.of(
                    "signal",
                    "Signals and answers to runs that have ended",
                    Since.id("run_id"),
                    Age.setting("millrace.retention.signals", Duration.ofDays(7)))
            .where("not " + RunConditions.isHeld("t.run_id"));

    /** Links that were signed before such a time have expired, too. */
    public static final RetentionRule REVOCATIONS = OldRows.of(
            "wait_link_revocation",
            "Revocations of signed links",
            Since.time("revoked_at"),
            Age.fixed(WaitLinks.VALID_MAX));

    public static final List<TableRetention> TABLES =
            List.of(SIGNALS, REVOCATIONS, new NoRule("server_secret", "a row for each kind of secret"));

    private SignalRetention() {}
}
