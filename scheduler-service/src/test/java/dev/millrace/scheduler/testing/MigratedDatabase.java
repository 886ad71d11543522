package dev.millrace.scheduler.testing;

import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.database.Database;

/**
 * Gives tests a database of their own with the present schema, open, and drops it afterwards. Register it with {@code @RegisterExtension} on a
 * field: a static one is for the class, another one for each test.
 */
public final class MigratedDatabase extends ClosedAfterTests {
    private final TestDatabase test = TestDatabase.migrated();
    private final Database database = test.open();

    public Database database() {
        return database;
    }

    /** Another connection pool to the same database; the caller closes it. */
    public Database open() {
        return test.open();
    }

    /** Default settings on a free port, with this database. */
    public SchedulerConfig schedulerConfig() {
        return test.schedulerConfig();
    }

    /** Runs SQL as a test needs it. */
    public void execute(String sql) {
        test.execute(sql);
    }

    @Override
    public void close() {
        database.close();
        test.close();
    }
}
