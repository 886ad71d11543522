package dev.millrace.scheduler.secret;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** How long secrets and keys are kept. */
public final class SecretRetention {
    /** As long as the audit log tells who deleted them. */
    public static final RetentionRule DELETED = OldRows.of(
            "deleted_secret", "Versions of deleted secrets", Since.time("deleted_at"), Age.fixed(Duration.ofDays(365)));

    public static final List<TableRetention> TABLES = List.of(
            DELETED,
            new NoRule("secret", "what developers have set, with a limit for each workspace"),
            new NoRule("secret_version", "goes with its secret; only the last versions are kept"),
            new NoRule("workspace_key", "one row for each workspace"),
            new NoRule("key_encryption_key", "one row for each key that was ever used"));

    private SecretRetention() {}
}
