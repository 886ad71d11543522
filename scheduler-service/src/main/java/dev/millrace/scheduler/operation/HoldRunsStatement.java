package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.FreeingStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.RunRowsStatement;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Pauses and resumes runs.
 *
 * <p>Every row of a run is marked, so that a job whose delay or lease ends later is held, too. If another scheduler
 * changes a row meanwhile, the statement waits for its commit and then reads the row again.
 */
record HoldRunsStatement(List<RunHold> runs, Set<String> claimable)
        implements RunRowsStatement<RunHold>, FreeingStatement {
    static final Section<RunHold, HoldRunsStatement> SECTION =
            new Section<>(FlushOrder.HOLD_RUNS, runs -> new HoldRunsStatement(runs, new TreeSet<>()));

    private static final RowsSql SQL = new RowsSql("""
            with changed as (
                select bucket, run_id, held = 1 as held from $rows(bucket int4, run_id uuid, held int4) as c
            ), moved as (
                update job_queue q
                set held = c.held,
                    state = case when c.held and q.state = {JobState.QUEUED} then {JobState.HELD} when not c.held and q.state = {JobState.HELD} then {JobState.QUEUED} else q.state end
                from changed c
                where q.bucket = c.bucket and q.run_id = any (array[c.run_id])
                returning q.id = q.run_id as is_root, q.tag, q.state = {JobState.QUEUED} as is_claimable
            )
            select expect_rows('hold_runs', ?, (select count(*) from moved where is_root)),
                   (select array_agg(distinct tag) from moved where is_claimable) as tags
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        RunRowsStatement.super.bind(binder);
        binder.integers(runs, run -> run.held() ? 1 : 0);
        binder.number(runs.size());
    }
}
