package dev.millrace.scheduler.identity.login;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** How long logins are kept that nobody has finished, and trusts. */
public final class LoginRetention {
    private static final Duration AFTER_END = Duration.ofMinutes(10);

    public static final List<TableRetention> TABLES = List.of(
            OldRows.of("login_attempt", "Logins in progress", Since.time("expires_at"), Age.fixed(AFTER_END))
                    .every(AFTER_END),
            OldRows.of(
                            "device_authorization",
                            "Logins of programs in progress",
                            Since.time("expires_at"),
                            Age.fixed(AFTER_END))
                    .every(AFTER_END),
            new NoRule("token_trust", "what admins have decided"));

    private LoginRetention() {}
}
