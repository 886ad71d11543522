package dev.millrace.scheduler.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class HistoryPartitionStoreTest {
    private static final TestDatabase TEST_DATABASE = TestDatabase.migrated();
    private static final Database DATABASE = TEST_DATABASE.open();

    private final HistoryPartitionStore partitions = new HistoryPartitionStore(DATABASE);

    @AfterAll
    static void dropDatabase() {
        DATABASE.close();
        TEST_DATABASE.close();
    }

    @Test
    void addsADayForEachOfTheDaysAheadAndMovesWhatCameTooEarly() {
        TEST_DATABASE.execute("""
                insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, status, attempt,
                    created_at, ended_at)
                select 0, id, id, 'default', 2, 'h', 'h', '', 'handler:h', 1, 1, now(), now()
                from (select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0')
                              || '70008000000000000000')::uuid as id) as made_today
                """);
        assertThat(tableOfTheRow()).isEqualTo("job_history_default");

        partitions.addMissing();
        partitions.addMissing();

        assertThat(partitionNames())
                .hasSize(HistoryPartitionStore.DAYS_AHEAD + 2)
                .contains("job_history_default");
        assertThat(tableOfTheRow()).matches("job_history_\\d{8}");
    }

    private static String tableOfTheRow() {
        return DATABASE.run(dsl -> dsl.fetchSingle("select tableoid::regclass::text from job_history"))
                .get(0, String.class);
    }

    private static List<String> partitionNames() {
        return DATABASE.run(dsl -> dsl.fetch(
                        "select inhrelid::regclass::text from pg_inherits where inhparent = 'job_history'::regclass")
                .getValues(0, String.class));
    }
}
