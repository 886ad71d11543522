package dev.millrace.scheduler.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class LeftoversTest {
    private static final TestDatabase TEST_DATABASE = TestDatabase.migrated();
    private static final Database DATABASE = TEST_DATABASE.open();
    private static final String LIVE_RUN = "00000000-0000-7000-8000-000000000001";
    private static final String ENDED_RUN = "00000000-0000-7000-8000-000000000002";

    @AfterAll
    static void dropDatabase() {
        DATABASE.close();
        TEST_DATABASE.close();
    }

    @Test
    void dropsMutexesThatRanOutLongAgo() {
        TEST_DATABASE.execute("""
                insert into mutex (workspace, name, bucket, job_id, lease_token, holds, fence, expires_at)
                select 'default', n || age, 0, gen_random_uuid(), 1, array[gen_random_uuid()], n, now() - age::interval
                from generate_series(1, 1001) n, unnest(array['2 hours', '1 minute']) age
                """);

        new Leftovers(DATABASE).sweep();

        assertThat(texts("select distinct right(name, 8) from mutex")).containsExactly("1 minute");
    }

    @Test
    void dropsOldDataOfRunsThatHaveEnded() {
        TEST_DATABASE.execute("""
                insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state,
                    timeout_millis, input)
                values (0, '%1$s', '%1$s', 'default', 3, 'f', 'f', '', '', 0, 0, 4, 1, '{}');
                insert into run_data (bucket, run_id, key, value, job_id, updated_at)
                select 0, run_id::uuid, age, '1', gen_random_uuid(), now() - age::interval
                from unnest(array['%1$s', '%2$s']) run_id, unnest(array['31 days', '1 day']) age
                """.formatted(LIVE_RUN, ENDED_RUN));

        new Leftovers(DATABASE).sweep();

        assertThat(texts("select run_id || ' ' || key from run_data order by 1"))
                .containsExactly(LIVE_RUN + " 1 day", LIVE_RUN + " 31 days", ENDED_RUN + " 1 day");
    }

    private static List<String> texts(String sql) {
        return DATABASE.run(dsl -> dsl.fetch(sql).getValues(0, String.class));
    }
}
