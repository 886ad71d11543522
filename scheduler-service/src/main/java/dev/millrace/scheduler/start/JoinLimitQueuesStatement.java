package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.RunRowsStatement;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/**
 * Adds runs to the lines of their limits. These runs entered the queue before their limits were known: they were
 * started by flows, or waited for further submissions. Afterwards, they count like all other runs under the limit.
 */
record JoinLimitQueuesStatement(List<LimitedRun> runs) implements RunRowsStatement<LimitedRun> {
    static final Section<LimitedRun, JoinLimitQueuesStatement> SECTION =
            new Section<>(FlushOrder.JOIN_LIMIT_QUEUES, JoinLimitQueuesStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with joined as (
                update job_queue q set limit_key = l.limit_key
                from $rows(bucket int4, id uuid, version int8, limit_key text) as l
                where q.bucket = l.bucket and q.id = any (array[l.id]) and q.version = l.version and q.state + 0 = {JobState.TO_START} and not q.held
                returning 1
            )
            select expect_rows('join_limit_queues', ?, (select count(*) from joined))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        RunRowsStatement.super.bind(binder);
        binder.numbers(runs, LimitedRun::version);
        binder.texts(runs, LimitedRun::limitKey);
        binder.number(runs.size());
    }
}
