package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/** Checks, under the locks of {@link LockLimitsStatement}, that no limit on runs in progress is exceeded. */
record CheckAdmissionsStatement(List<RunAdmission> admissions) implements AdmissionsStatement {
    static final Section<RunAdmission, CheckAdmissionsStatement> SECTION =
            new Section<>(FlushOrder.CHECK_ADMISSIONS, CheckAdmissionsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with admissions as (
                select limit_key, min(runs_max) as runs_max from $rows(limit_key text, runs_max int4) as t group by limit_key
            )
            select expect_rows('check_admissions', 0, (
                select count(*) from admissions t
                where (select count(*) from job_queue q where q.limit_key = t.limit_key and q.state = {JobState.FLOW_RUNNING}) > t.runs_max))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        AdmissionsStatement.super.bind(binder);
        binder.integers(admissions, admission -> admission.runsMax().orElseThrow());
    }
}
