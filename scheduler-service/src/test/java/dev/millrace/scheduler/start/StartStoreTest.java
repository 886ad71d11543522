package dev.millrace.scheduler.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.TestDatabase;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StartStoreTest {
    private static final int TO_START = 7;
    private static final int IN_PROGRESS = 4;

    private static TestDatabase testDatabase;
    private static Database database;

    @BeforeAll
    static void create() {
        testDatabase = TestDatabase.migrated();
        database = testDatabase.open();
    }

    @AfterAll
    static void drop() {
        database.close();
        testDatabase.close();
    }

    @BeforeEach
    void empty() {
        testDatabase.execute("truncate job_queue");
    }

    @Test
    void tellsWhenTheNextRunIsToBeStarted() {
        insert(TO_START, false, "now() + interval '2 hours'");
        insert(TO_START, false, "now() + interval '1 hour'");

        assertThat(new StartStore(database).nextDue())
                .hasValueSatisfying(time -> assertThat(time).isBetween(Duration.ofMinutes(50), Duration.ofHours(1)));
    }

    @Test
    void tellsOfNoRunThatIsDuePausedOrInProgress() {
        insert(TO_START, false, "null");
        insert(TO_START, false, "now() - interval '1 second'");
        insert(TO_START, true, "now() + interval '1 hour'");
        insert(IN_PROGRESS, false, "now() + interval '1 hour'");

        assertThat(new StartStore(database).nextDue()).isEmpty();
    }

    private static void insert(int state, boolean held, String runAfter) {
        String id = UUID.randomUUID().toString();
        testDatabase.execute("""
                insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state,
                    held, run_after, timeout_millis, input)
                values (1, '%s', '%s', 'default', 3, '', 'flow', '', '', 0, 1, %d, %s, %s, 1000, '{}')
                """.formatted(id, id, state, held, runAfter));
    }
}
