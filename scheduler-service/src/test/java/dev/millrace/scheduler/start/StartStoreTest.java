package dev.millrace.scheduler.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StartStoreTest {
    private static final int TO_START = 7;
    private static final int IN_PROGRESS = 4;

    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private static final Database DATABASE = POSTGRES.database();

    @BeforeEach
    void empty() {
        POSTGRES.execute("truncate job_queue");
    }

    @Test
    void findsTheTimeOfTheNextRun() {
        insert(TO_START, false, "now() + interval '2 hours'");
        insert(TO_START, false, "now() + interval '1 hour'");

        assertThat(new StartStore(DATABASE).nextDue())
                .hasValueSatisfying(time -> assertThat(time).isBetween(Duration.ofMinutes(50), Duration.ofHours(1)));
    }

    @Test
    void ignoresRunsThatAreDuePausedOrInProgress() {
        insert(TO_START, false, "null");
        insert(TO_START, false, "now() - interval '1 second'");
        insert(TO_START, true, "now() + interval '1 hour'");
        insert(IN_PROGRESS, false, "now() + interval '1 hour'");

        assertThat(new StartStore(DATABASE).nextDue()).isEmpty();
    }

    @Test
    void leavesARunThatWasAcceptedUndecidedToItsSchedulerForAWhile() {
        String accepted = insert(TO_START, false, "null");
        String due = insert(TO_START, false, "now() - interval '1 second'");
        String startedByAFlow = insert(TO_START, false, "null");
        POSTGRES.execute("update job_queue set target = 'hash' where id in ('%s', '%s')".formatted(accepted, due));

        assertThat(found()).containsExactlyInAnyOrder(due, startedByAFlow);

        POSTGRES.execute("update job_queue set created_at = now() - interval '%d seconds' where id = '%s'"
                .formatted(StartStore.OWN_RUNS_LEAD.toSeconds(), accepted));

        assertThat(found()).containsExactlyInAnyOrder(accepted, due, startedByAFlow);
    }

    private static List<String> found() {
        return new StartStore(DATABASE)
                .find(Long.MIN_VALUE, new UUID(0, 0), 10).stream()
                        .map(run -> run.run().toString())
                        .toList();
    }

    private static String insert(int state, boolean held, String runAfter) {
        String id = UUID.randomUUID().toString();
        POSTGRES.execute("""
                insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state,
                    held, run_after, timeout_millis, input)
                values (1, '%s', '%s', 'default', 3, '', 'flow', '', '', 0, 1, %d, %s, %s, 1000, '{}')
                """.formatted(id, id, state, held, runAfter));
        return id;
    }
}
