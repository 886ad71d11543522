package dev.millrace.scheduler.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.activity.ActivityRetention;
import dev.millrace.scheduler.alert.AlertRetention;
import dev.millrace.scheduler.attempt.AttemptRetention;
import dev.millrace.scheduler.bulk.BulkRetention;
import dev.millrace.scheduler.cache.CacheRetention;
import dev.millrace.scheduler.evaluation.EvaluationRetention;
import dev.millrace.scheduler.eventhandler.EventHandlerRetention;
import dev.millrace.scheduler.jobapi.JobApiRetention;
import dev.millrace.scheduler.limit.LimitRetention;
import dev.millrace.scheduler.log.LogRetention;
import dev.millrace.scheduler.operation.OperationRetention;
import dev.millrace.scheduler.run.RunRetention;
import dev.millrace.scheduler.schedule.ScheduleRetention;
import dev.millrace.scheduler.secret.SecretRetention;
import dev.millrace.scheduler.signal.SignalRetention;
import dev.millrace.scheduler.trigger.TriggerRetention;
import dev.millrace.scheduler.version.VersionRetention;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("nightly")
class OldRowsTest {
    @AutoClose
    private final RetentionDatabase tables = new RetentionDatabase();

    /**
     * A rule, with a way to insert rows into its table.
     *
     * @param insert statement that inserts a row of the age {@code $age}
     * @param old an age at which rows are removed
     * @param young an age at which rows are kept
     */
    record Case(RetentionRule rule, String insert, String old, String young) {
        String of(String age) {
            return insert.replace("$age", "interval '" + age + "'");
        }

        @Override
        public String toString() {
            return rule.table();
        }
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case(
                        LogRetention.ERASED_RUNS,
                        "insert into erased_run values (id_of($age), array['s'], now() - $age)",
                        "61 minutes",
                        "59 minutes"),
                new Case(
                        RunRetention.SUBMISSIONS,
                        "insert into submission values ('w', gen_random_uuid()::text, '', '{}', now() - $age)",
                        "169 hours",
                        "167 hours"),
                new Case(
                        RunRetention.ORIGINS,
                        "insert into run_origin values (id_of($age), id_of($age), 'restart', '')",
                        "721 hours",
                        "719 hours"),
                new Case(
                        RunRetention.OPTIONS,
                        "insert into run_option values (id_of($age), '{}', null)",
                        "721 hours",
                        "719 hours"),
                new Case(
                        SecretRetention.DELETED,
                        "insert into deleted_secret values ('w', gen_random_uuid()::text, 1, now() - $age)",
                        "366 days",
                        "364 days"),
                new Case(
                        OperationRetention.OPERATIONS,
                        "insert into run_operation values (id_of($age), gen_random_uuid(), 'pause', '', '', '{}', now())",
                        "721 hours",
                        "719 hours"),
                new Case(
                        SignalRetention.SIGNALS,
                        "insert into signal values (0, gen_random_uuid(), id_of($age), 'n', '', 1, '{}', '', gen_random_uuid()::text)",
                        "169 hours",
                        "167 hours"),
                new Case(
                        SignalRetention.REVOCATIONS,
                        "insert into wait_link_revocation values (gen_random_uuid(), 's', '', now() - $age)",
                        "8785 hours",
                        "8783 hours"),
                new Case(
                        JobApiRetention.RUN_DATA,
                        "insert into run_data values (0, id_of($age), 'k', '1', gen_random_uuid(), now())",
                        "721 hours",
                        "719 hours"),
                new Case(
                        AttemptRetention.ATTEMPTS,
                        "insert into job_attempt values (id_of($age), gen_random_uuid(), 1, '', null, now(), 'w', 'E', 'm')",
                        "721 hours",
                        "719 hours"),
                new Case(
                        ActivityRetention.MINUTES,
                        "insert into activity_minute values (now() - $age, gen_random_uuid()::text, 1, 1, 0, 0, '{}')",
                        "49 hours",
                        "47 hours"),
                new Case(
                        JobApiRetention.STARTED_RUNS,
                        "insert into job_started_run values (id_of($age), gen_random_uuid(), 'k', 1, gen_random_uuid())",
                        "721 hours",
                        "719 hours"),
                new Case(JobApiRetention.MUTEXES, """
                        insert into mutex values
                            ('w', gen_random_uuid()::text, 0, gen_random_uuid(), 1, array[gen_random_uuid()], 1, now() - $age)
                        """, "61 minutes", "59 minutes"),
                new Case(
                        CacheRetention.RESULTS,
                        "insert into result_cache values ('w', sha256(gen_random_uuid()::text::bytea), '1', now() - $age)",
                        "1 second",
                        "-1 minute"),
                new Case(
                        CacheRetention.CALLS,
                        "insert into result_cache_call values (0, gen_random_uuid(), 's', 'w', sha256(''), 1, now() - $age)",
                        "25 hours",
                        "23 hours"),
                new Case(
                        CacheRetention.CALLS,
                        "insert into result_cache_call values (0, gen_random_uuid(), '#uncached', 'w', sha256(''), 1, now() - $age)",
                        "25 hours",
                        "23 hours"),
                new Case(BulkRetention.OPERATIONS, """
                        with made as (
                            insert into bulk_operation (id, workspace, operation, step_key, actor, reason, request_id, fingerprint, state,
                                total, ended_at)
                            values (gen_random_uuid(), 'w', 'pause', '', '', '', '', '', 2, 1, now() - $age) returning id
                        )
                        insert into bulk_item (bulk_id, run_id, state) select id, gen_random_uuid(), 2 from made
                        """, "337 hours", "335 hours"),
                new Case(AlertRetention.DELIVERIES, """
                        with made as (
                            insert into alert (workspace, name, types, channel, created_by)
                            values ('w', gen_random_uuid()::text, '{}', 'webhook', '') returning name
                        )
                        insert into alert_delivery (workspace, alert, event_id, event_type, event, next_at, created_at)
                        select 'w', name, gen_random_uuid(), '', '{}', now(), now() - $age from made
                        """, "337 hours", "335 hours"),
                new Case(EventHandlerRetention.EXECUTIONS, """
                        insert into event_execution (handler_id, message_id, workspace, event, run_id, run_name, state, noted_at, ended_at)
                        values (gen_random_uuid(), gen_random_uuid(), 'w', 'conductor:w:e', gen_random_uuid(), 'w', 3, now() - $age, now())
                        """, "337 hours", "335 hours"),
                new Case(TriggerRetention.STARTS, """
                        with made as (
                            insert into trigger (id, workspace, kind, path, version, template, settings, description, actor)
                            values (gen_random_uuid(), 'w', 'schedule', gen_random_uuid()::text, 1, '', '', '', '') returning id
                        )
                        insert into trigger_start (trigger_id, occurrence, workspace, id, state, occurred_at, noted_at)
                        select id, 'tick', 'w', gen_random_uuid(), 3, now(), now() - $age from made
                        """, "337 hours", "335 hours"),
                new Case(ScheduleRetention.BACKFILLS, """
                        with made as (
                            insert into trigger (id, workspace, kind, path, version, template, settings, description, actor)
                            values (gen_random_uuid(), 'w', 'schedule', gen_random_uuid()::text, 1, '', '', '', '') returning id
                        )
                        insert into schedule_backfill (id, trigger_id, from_time, to_time, parallel_max, total, actor, ended_at)
                        select gen_random_uuid(), id, now(), now(), 1, 1, '', now() - $age from made
                        """, "337 hours", "335 hours"),
                new Case(LimitRetention.BEGINS, """
                        insert into limited_begin (limit_key, bucket, job_id, window_millis, expires_at)
                        values ('k', 0, gen_random_uuid(), 1, now() - $age)
                        """, "1 second", "-1 minute"),
                new Case(
                        EvaluationRetention.KILLED_REQUESTS,
                        "insert into killed_request values (gen_random_uuid()::text::bytea, 'r', now() - $age)",
                        "25 hours",
                        "23 hours"),
                new Case(
                        VersionRetention.FLOWS,
                        "insert into flow (hash, dialect, file_name, definition, scripts, used_at) values (encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 'millrace', '', '', '{}', now() - $age)",
                        "2161 hours",
                        "2159 hours"),
                new Case(
                        VersionRetention.SCRIPTS,
                        "insert into script (hash, language, content, used_at) values (encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 1, '', now() - $age)",
                        "2161 hours",
                        "2159 hours"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void goWhenTheyAreOldAndNotBefore(Case rows) {
        tables.execute(rows.of(rows.young()));
        List<String> young = tables.texts("select t::text from " + rows + " t");
        tables.execute(rows.of(rows.old()));
        tables.execute(rows.of(rows.old()));

        tables.sweep(rows.rule());

        assertThat(tables.texts("select t::text from " + rows + " t")).isEqualTo(young);
        assertThat(tables.retention(rows.rule()).status())
                .singleElement()
                .satisfies(status -> assertThat(status.removedRows()).isEqualTo(2));
    }

    @Test
    void areFoundByAnIndex() {
        assertThat(cases())
                .allSatisfy(rows -> assertThat(tables.texts("""
                                select a.attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
                                where i.indrelid = '%s'::regclass
                                """.formatted(rows)))
                        .contains(rows.rule().since().column()));
    }

    @Test
    void goInBatches() {
        tables.execute("""
                insert into submission
                select 'w', n::text, '', '{}', now() - interval '8 days' - n * interval '1 second' from generate_series(1, 1001) n
                """);

        assertThat(tables.store().step(RunRetention.SUBMISSIONS, 0, Set.of()))
                .isEqualTo(Optional.of(new Removed(1_000, true)));

        assertThat(tables.texts("select request_id from submission"))
                .as("the youngest is left for the next step")
                .containsExactly("1");
    }

    @Test
    void stayAsLongAsTheirRunIsThere() {
        String live = tables.id("40 days");
        String ended = tables.id("40 days");
        String gone = tables.id("40 days");
        tables.live(live);
        tables.ended(ended, "40 days");
        for (String run : List.of(live, ended, gone)) {
            tables.execute("""
                    insert into run_data values (0, '%1$s', 'k', '1', gen_random_uuid(), now());
                    insert into run_origin values ('%1$s', '%1$s', 'restart', '');
                    insert into signal values (0, gen_random_uuid(), '%1$s', 'n', '', 1, '{}', '', 'r')
                    """.formatted(run));
        }

        tables.sweep(JobApiRetention.RUN_DATA, RunRetention.ORIGINS, SignalRetention.SIGNALS);

        assertThat(tables.texts("select run_id::text from run_data")).containsExactlyInAnyOrder(live, ended);
        assertThat(tables.texts("select run_id::text from run_origin")).containsExactlyInAnyOrder(live, ended);
        assertThat(tables.texts("select run_id::text from signal"))
                .as("of runs that have ended, signals go before")
                .containsExactly(live);
    }

    @Test
    void takeTheRowsOfOtherTablesAlongThatReferToThem() {
        Case bulks = cases().filter(rows -> rows.rule().equals(BulkRetention.OPERATIONS))
                .findFirst()
                .orElseThrow();
        tables.execute(bulks.of(bulks.old()));

        tables.sweep(bulks.rule());

        assertThat(tables.count("bulk_item")).isZero();
    }

    @Test
    void areLeftToWhoHasLockedThem() {
        tables.execute(
                "insert into submission select 'w', n::text, '', '{}', now() - interval '8 days' from generate_series(1, 2) n");

        tables.database.transaction(dsl -> {
            dsl.fetch("select 1 from submission where request_id = '1' for update");
            tables.sweep(RunRetention.SUBMISSIONS);
            return 0;
        });

        assertThat(tables.texts("select request_id from submission")).containsExactly("1");
    }
}
