package dev.millrace.scheduler.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.testing.TestDatabase;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/**
 * Tests the migration of jobs that were enqueued before each of the columns for limits and groups had a single meaning.
 */
class LimitQueueMigrationTest {
    @Test
    void giveEachMeaningAColumn() {
        try (TestDatabase testDatabase = TestDatabase.empty()) {
            DatabaseLocation location = testDatabase.config().location();
            Flyway.configure()
                    .dataSource(location.jdbcUrl(), location.user(), location.password())
                    .target("079.1")
                    .load()
                    .migrate();
            job(testDatabase, 1, "'@limit/w/k', 'handler:h', null");
            job(testDatabase, 2, "'handler:h', null, '@limit/w/k'");
            job(testDatabase, 3, "'@worker/s/handler:h', 'handler:h', null");
            job(testDatabase, 4, "'flow', null, 'w/f k'");

            try (Database database = testDatabase.open()) {
                List<String> rows = database.run(dsl -> dsl.fetch("""
                                select concat_ws('|', tag, coalesce(own_tag, '-'), coalesce(limit_key, '-'),
                                    coalesce(limit_queue, '-'), coalesce(released_tag, '-'))
                                from job_queue order by order_key
                                """).getValues(0, String.class));
                assertThat(rows)
                        .containsExactly(
                                "@limit/w//k|-|-|@limit/w//k|handler:h",
                                "handler:h|-|-|@limit/w//k|-",
                                "@worker/s/handler:h|handler:h|-|-|-",
                                "flow|-|w/f k|-|-");
            }
        }
    }

    /** @param tags values of {@code tag}, {@code own_tag} and {@code limit_key} */
    private static void job(TestDatabase database, int orderKey, String tags) {
        database.execute("""
                insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, priority, order_key, state,
                    timeout_millis, input, tag, own_tag, limit_key)
                select 0, id, id, 'w', 2, 'h', 'h', '', 0, %s, 1, 1, '{}', %s from (select gen_random_uuid() as id) j
                """.formatted(orderKey, tags));
    }
}
