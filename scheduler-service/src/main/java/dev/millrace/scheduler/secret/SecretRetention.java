package dev.millrace.scheduler.secret;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** How long secrets and keys are kept. */
public final class SecretRetention {
    public static final List<TableRetention> TABLES = List.of(
            new NoRule("secret", "what developers have set, with a limit for each workspace"),
            new NoRule("secret_version", "goes with its secret; only the last versions are kept"),
            new NoRule("workspace_key", "one row for each workspace"),
            new NoRule("key_encryption_key", "one row for each key that was ever used"));

    private SecretRetention() {}
}
