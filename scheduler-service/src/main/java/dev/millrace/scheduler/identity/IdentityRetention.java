package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** How long principals, roles and tokens are kept. */
public final class IdentityRetention {
    public static final List<TableRetention> TABLES = List.of(
            OldRows.of(
                    "credential",
                    "Tokens that have expired or were revoked",
                    Since.time("ended_at"),
                    Age.setting("millrace.retention.tokens", Duration.ofDays(30))),
            new NoRule("principal", "names are not given twice, so that records of who did what stay true"),
            new NoRule("role_binding", "what admins have granted"));

    private IdentityRetention() {}
}
