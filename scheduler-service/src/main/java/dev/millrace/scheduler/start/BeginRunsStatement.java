package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.RunRowsStatement;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.Json;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Turns pending roots into flows in progress. A root begins only once, whoever tries, and only with its current input.
 * {@code state + 0} keeps Postgres from using the index of pending runs.
 */
record BeginRunsStatement(List<BegunRun> runs) implements RunRowsStatement<BegunRun> {
    static final Section<BegunRun, BeginRunsStatement> SECTION =
            new Section<>(FlushOrder.BEGIN_RUNS, BeginRunsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with begun as (
                select * from $rows(bucket int4, id uuid, version int8, target text, input text, timeout_millis int8) as b
            ), changed as (
                update job_queue q
                set state = {JobState.FLOW_RUNNING}, target = coalesce(b.target, q.target), input = coalesce(b.input::json, q.input),
                    run_after = now() + b.timeout_millis * interval '1 millisecond'
                from begun b
                where q.bucket = b.bucket and q.id = any (array[b.id]) and q.version = b.version and q.state + 0 = {JobState.TO_START} and not q.held
                returning 1
            )
            select expect_rows('begin_runs', ?, (select count(*) from changed))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        RunRowsStatement.super.bind(binder);
        binder.numbers(runs, BegunRun::version);
        binder.texts(runs, run -> run.flowHash().orElse(null));
        binder.texts(runs, run -> run.input().map(Json::text).orElse(null));
        binder.optionalNumbers(
                runs, run -> run.timeout().map(Duration::toMillis).orElse(null));
        binder.number(runs.size());
    }
}
