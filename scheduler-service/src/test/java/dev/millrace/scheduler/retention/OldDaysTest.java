package dev.millrace.scheduler.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.log.LogRetention;
import dev.millrace.scheduler.run.RunRetention;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class OldDaysTest {
    @AutoClose
    private final RetentionDatabase tables = new RetentionDatabase();

    @Test
    void haveAPartitionAheadToWhichMovesWhatCameTooEarly() {
        String today = tables.id("0");
        tables.ended(today, "0");
        assertThat(tableOf("job_history", today)).isEqualTo("job_history_default");

        tables.sweep(RunRetention.HISTORY, LogRetention.LOGS);
        tables.sweep(RunRetention.HISTORY, LogRetention.LOGS);

        assertThat(tableOf("job_history", today)).matches("job_history_\\d{8}");
        for (String table : List.of("job_history", "job_log")) {
            assertThat(tables.count("pg_inherits where inhparent = '" + table + "'::regclass"))
                    .isEqualTo(DayPartitionStore.DAYS_AHEAD + 2);
        }
    }

    @Test
    void areDroppedOnceAllOfThemIsOld() {
        String old = tables.id("32 days");
        String young = tables.id("29 days");
        tables.addDay("job_history", old);
        tables.addDay("job_history", young);
        tables.ended(old, "32 days");
        tables.step(old, tables.id("32 days"), "a", "32 days");
        tables.ended(young, "29 days");
        List<String> days = tables.pastDays("job_history");

        tables.sweep(RunRetention.HISTORY);

        assertThat(tables.pastDays("job_history")).isEqualTo(days.subList(1, 2));
        assertThat(tables.texts("select id::text from job_history")).containsExactly(young);
        assertThat(tables.retention(RunRetention.HISTORY).status())
                .singleElement()
                .satisfies(status -> assertThat(status.removedRows()).isEqualTo(2));
    }

    @Test
    void leaveBehindTheRunsThatGoOnOrHaveEndedLater() {
        String live = tables.id("40 days");
        String ended = tables.id("40 days");
        String gone = tables.id("40 days");
        tables.addDay("job_history", live);
        tables.live(live);
        tables.ended(ended, "29 days");
        tables.ended(gone, "31 days");
        for (String run : List.of(live, ended, gone)) {
            tables.step(run, tables.id("40 days"), "a", "40 days");
        }

        tables.sweep(RunRetention.HISTORY);

        assertThat(tables.pastDays("job_history")).isEmpty();
        assertThat(steps()).containsExactlyInAnyOrder(live + " a", ended + " ", ended + " a");
    }

    @Test
    void leaveWhatIsDeletedLater() {
        String live = tables.id("40 days");
        tables.addDay("job_history", live);
        tables.live(live);
        tables.step(live, tables.id("40 days"), "a", "40 days");
        tables.sweep(RunRetention.HISTORY);

        tables.execute("delete from job_queue");
        tables.ended(live, "1 day");
        tables.sweep(RunRetention.HISTORY);
        assertThat(steps()).containsExactlyInAnyOrder(live + " ", live + " a");

        tables.execute("update job_history set ended_at = now() - interval '31 days'");
        tables.sweep(RunRetention.HISTORY);
        assertThat(steps()).isEmpty();
    }

    @Test
    void takeARunApartFromItsRoot() {
        String run = tables.id("40 days");
        tables.ended(run, "40 days");
        tables.step(run, tables.id("41 days"), "a", "40 days");
        daysAhead();

        assertThat(step(RunRetention.HISTORY)).isEqualTo(new Removed(1, true));

        assertThat(steps()).as("no run is without a step that it had").containsExactly(run + " a");
        assertThat(step(RunRetention.HISTORY)).isEqualTo(new Removed(1, true));
        assertThat(step(RunRetention.HISTORY)).isEqualTo(new Removed(0, false));
    }

    @Test
    void leaveARunWholeThatIsRetriedMeanwhile() {
        String run = tables.id("40 days");
        tables.ended(run, "40 days");
        tables.step(run, tables.id("40 days"), "a", "40 days");
        daysAhead();

        tables.database.transaction(retry -> {
            retry.execute("delete from job_history where id = ?::uuid", run);
            tables.sweep(RunRetention.HISTORY);
            retry.execute("""
                    insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state,
                        timeout_millis, input)
                    values (0, ?::uuid, ?::uuid, 'default', 3, 'f', 'f', '', '', 0, 0, 4, 1, '{}')
                    """, run, run);
            return 0;
        });
        tables.sweep(RunRetention.HISTORY);

        assertThat(steps()).containsExactly(run + " a");
    }

    @Test
    void keepTheStepsOfARunWhoseRootIsOfALaterDay() {
        String run = tables.id("29 days");
        String step = tables.id("32 days");
        tables.addDay("job_history", step);
        tables.ended(run, "31 days");
        tables.step(run, step, "a", "31 days");

        tables.sweep(RunRetention.HISTORY);

        assertThat(steps()).containsExactlyInAnyOrder(run + " ", run + " a");
    }

    @Test
    void areDeletedFromWhereTheyKeepTooMuch() {
        String live = tables.id("40 days");
        String gone = tables.id("40 days");
        tables.addDay("job_history", live);
        tables.live(live);
        tables.ended(gone, "40 days");
        tables.execute("""
                insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, status, attempt, created_at, ended_at)
                select 0, id_of('40 days'), '%s', 'default', 2, 'h', 'h', 'a', 'handler:h', 1, 1, now(), now() - interval '40 days'
                from generate_series(0, %s)
                """.formatted(live, DayStore.KEPT_ROWS_MAX));

        tables.sweep(RunRetention.HISTORY);

        assertThat(tables.pastDays("job_history")).hasSize(1);
        assertThat(tables.count("job_history")).isEqualTo(DayStore.KEPT_ROWS_MAX + 1);
        assertThat(tables.texts("select distinct run_id::text from job_history"))
                .containsExactly(live);
    }

    @Test
    void ofLogsGoBeforeTheirRuns() {
        String live = tables.id("16 days");
        String ended = tables.id("16 days");
        tables.addDay("job_log", live);
        tables.live(live);
        tables.ended(ended, "15 days");
        for (String run : List.of(live, ended)) {
            tables.execute("insert into job_log values ('%1$s', '%1$s', '', 1, 1, 0, 0, 'x', now())".formatted(run));
        }

        tables.sweep(LogRetention.LOGS, RunRetention.HISTORY);

        assertThat(tables.pastDays("job_log")).isEmpty();
        assertThat(tables.texts("select run_id::text from job_log")).containsExactly(live);
        assertThat(steps()).containsExactly(ended + " ");
    }

    @Test
    void areLeftForLaterWhereTheTableIsInUse() {
        String old = tables.id("40 days");
        tables.addDay("job_history", old);
        daysAhead();

        tables.database.transaction(dsl -> {
            dsl.fetch("select count(*) from job_history");
            tables.sweep(RunRetention.HISTORY);
            return 0;
        });

        assertThat(tables.pastDays("job_history")).hasSize(1);
        assertThat(tables.retention(RunRetention.HISTORY).status())
                .singleElement()
                .satisfies(status -> assertThat(status.error()).contains("lock timeout"));
        tables.sweep(RunRetention.HISTORY);
        assertThat(tables.pastDays("job_history")).isEmpty();
        assertThat(tables.retention(RunRetention.HISTORY).status())
                .singleElement()
                .satisfies(status -> assertThat(status.error()).isEmpty());
    }

    /** Adds the partitions that a first sweep adds. */
    private void daysAhead() {
        while (tables.count(
                        "pg_inherits where inhparent = 'job_history'::regclass and inhrelid::regclass::text > 'job_history_'"
                                + " || to_char(now() at time zone 'UTC' - interval '1 day', 'YYYYMMDD')")
                < DayPartitionStore.DAYS_AHEAD + 2) {
            step(RunRetention.HISTORY);
        }
    }

    private Removed step(RetentionRule rule) {
        Optional<Removed> removed = tables.store().step(rule, 0, new HashSet<>());
        return removed.orElseThrow();
    }

    private List<String> steps() {
        return tables.texts("select run_id || ' ' || step_key from job_history");
    }

    private String tableOf(String table, String id) {
        return tables.texts("select tableoid::regclass::text from " + table + " where id = '" + id + "'")
                .getFirst();
    }
}
