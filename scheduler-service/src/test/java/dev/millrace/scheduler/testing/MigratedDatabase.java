package dev.millrace.scheduler.testing;

import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.database.Database;

/**
 * A migrated and open database for tests, dropped afterwards. Register it with {@code @RegisterExtension}: a static
 * field is for the whole class, another field for each test.
 */
public final class MigratedDatabase extends ClosedAfterTests {
    private final TestDatabase test = TestDatabase.migrated();
    private final Database database = test.open();

    public Database database() {
        return database;
    }

    /** Opens another connection pool to the same database. The caller closes it. */
    public Database open() {
        return test.open();
    }

    /** Default settings with this database and any free port. */
    public SchedulerConfig schedulerConfig() {
        return test.schedulerConfig();
    }

    /** Executes SQL with auto-commit. */
    public void execute(String sql) {
        test.execute(sql);
    }

    @Override
    public void close() {
        database.close();
        test.close();
    }
}
