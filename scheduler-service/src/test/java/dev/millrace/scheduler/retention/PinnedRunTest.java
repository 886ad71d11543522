package dev.millrace.scheduler.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.jobapi.JobApiRetention;
import dev.millrace.scheduler.log.LogRetention;
import dev.millrace.scheduler.operation.OperationRetention;
import dev.millrace.scheduler.run.RunRetention;
import dev.millrace.scheduler.signal.SignalRetention;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PinnedRunTest {
    private static final RetentionRule[] RULES = {
        RunRetention.HISTORY,
        LogRetention.LOGS,
        JobApiRetention.RUN_DATA,
        OperationRetention.OPERATIONS,
        SignalRetention.SIGNALS
    };
    private static final List<String> TABLES = List.of("job_log", "run_data", "run_operation", "signal");

    @AutoClose
    private final RetentionDatabase tables = new RetentionDatabase();

    @Test
    void staysWithAllThatIsKeptWithIt() {
        String pinned = run();
        String other = run();
        tables.execute("insert into pinned_run values ('%s', 'default', 'ada', 'evidence')".formatted(pinned));

        tables.sweep(RULES);

        assertThat(tables.pastDays("job_history")).isEmpty();
        assertThat(tables.texts("select step_key from job_history where run_id = '" + pinned + "' order by 1"))
                .containsExactly("", "a");
        for (String table : TABLES) {
            assertThat(tables.texts("select run_id::text from " + table))
                    .as(table)
                    .containsExactly(pinned);
        }
        assertThat(tables.texts("select run_id::text from job_history")).doesNotContain(other);
    }

    @Test
    void goesWhenItIsPinnedNoMore() {
        String pinned = run();
        tables.execute("insert into pinned_run values ('%s', 'default', 'ada', 'evidence')".formatted(pinned));
        tables.sweep(RULES);

        tables.execute("delete from pinned_run");
        tables.sweep(RULES);

        assertThat(tables.count("job_history")).isZero();
        for (String table : TABLES) {
            assertThat(tables.count(table)).as(table).isZero();
        }
    }

    /** Inserts a run that ended long ago, with a step and with rows in other tables. */
    private String run() {
        String run = tables.id("40 days");
        if (tables.pastDays("job_history").isEmpty()) {
            tables.addDay("job_history", run);
            tables.addDay("job_log", run);
        }
        tables.ended(run, "40 days");
        tables.step(run, tables.id("40 days"), "a", "40 days");
        tables.execute("""
                insert into job_log values ('%1$s', '%1$s', '', 1, 1, 0, 0, 'x', now());
                insert into run_data values (0, '%1$s', 'k', '1', gen_random_uuid(), now());
                insert into run_operation values ('%1$s', gen_random_uuid(), 'pause', '', '', '{}', now());
                insert into signal values (0, gen_random_uuid(), '%1$s', 'n', '', 1, '{}', '', 'r')
                """.formatted(run));
        return run;
    }
}
