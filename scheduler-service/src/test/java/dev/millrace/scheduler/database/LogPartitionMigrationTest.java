package dev.millrace.scheduler.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.log.LogRetention;
import dev.millrace.scheduler.testing.Sweep;
import dev.millrace.scheduler.testing.TestDatabase;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/** Tests what becomes of logs that are older than the partitions of logs. */
class LogPartitionMigrationTest {
    private static final String EARLY = "00000000-0000-7000-8000-000000000001";
    private static final String FAR_AHEAD = "7fffffff-0000-7000-8000-000000000001";

    @Test
    void stayWhereTheyAreAsTheFirstDay() {
        try (TestDatabase testDatabase = TestDatabase.empty()) {
            DatabaseLocation location = testDatabase.config().location();
            Flyway.configure()
                    .dataSource(location.jdbcUrl(), location.user(), location.password())
                    .target("073")
                    .load()
                    .migrate();
            for (String id : List.of(EARLY, FAR_AHEAD)) {
                testDatabase.execute("""
                        insert into job_log (run_id, job_id, step_key, attempt, stream, sequence, text)
                        values ('%1$s', '%1$s', '', 1, 1, 1, 'before')
                        """.formatted(id));
            }

            try (Database database = testDatabase.open()) {
                testDatabase.execute("""
                        insert into job_log (run_id, job_id, step_key, attempt, stream, sequence, text)
                        values ('%1$s', '%1$s', '', 1, 1, 2, 'after')
                        """.formatted(EARLY));
                assertThat(texts(database, "select text || ' ' || position from job_log order by position"))
                        .containsExactly("before 1", "before 2", "after 3");
                assertThat(texts(
                                database,
                                "select distinct tableoid::regclass::text from job_log where job_id = '" + EARLY + "'"))
                        .singleElement()
                        .asString()
                        .matches("job_log_\\d{8}");

                Sweep.now(database, LogRetention.LOGS);

                assertThat(texts(database, "select coalesce(error, '') from retention_sweep"))
                        .containsExactly("");
                assertThat(texts(database, "select text from job_log")).hasSize(3);
            }
        }
    }

    private static List<String> texts(Database database, String sql) {
        return database.run(dsl -> dsl.fetch(sql).getValues(0, String.class));
    }
}
