package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/**
 * Records when runs under a rate begin, and checks, under the locks of {@link LockLimitsStatement}, that no rate is
 * exceeded.
 *
 * <p>The statement reads the clock after the locks are acquired. So each beginning under a limit is later than the ones
 * before it, and the last one of any period has counted all others.
 */
record NoteAdmissionsStatement(List<RunAdmission> admissions) implements AdmissionsStatement {
    static final Section<RunAdmission, NoteAdmissionsStatement> SECTION =
            new Section<>(FlushOrder.NOTE_ADMISSIONS, NoteAdmissionsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with moment as materialized (
                select clock_timestamp() as begun_at
            ), admissions as materialized (
                select t.*, m.begun_at, t.window_millis * interval '1 millisecond' as window_time
                from $rows(limit_key text, bucket int4, run_id uuid, count_max int8, window_millis int8) as t
                cross join moment m
            ), noted as (
                insert into limited_begin (limit_key, bucket, job_id, begun_at, window_millis, expires_at)
                select limit_key, bucket, run_id, begun_at, window_millis, begun_at + window_time from admissions
            )
            select expect_rows('note_admissions', 0, (
                select count(*) from admissions t
                where (select count(*) from (
                    select from limited_begin b
                    where b.limit_key = t.limit_key and b.begun_at > t.begun_at - t.window_time
                    limit t.count_max) c) = t.count_max))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        AdmissionsStatement.super.bind(binder);
        binder.runs(admissions, RunAdmission::run);
        binder.numbers(admissions, admission -> admission.rate().orElseThrow().count());
        binder.numbers(
                admissions, admission -> admission.rate().orElseThrow().per().toMillis());
    }
}
