package dev.millrace.scheduler.postgres;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** How long positions in tables of other databases are kept. */
public final class PostgresRetention {
    public static final List<TableRetention> TABLES =
            List.of(new NoRule("postgres_position", "goes with its trigger, by a foreign key"));

    private PostgresRetention() {}
}
