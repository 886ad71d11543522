package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.FreeingStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.RunRowsStatement;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.JobOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Removes the terminal rows of failed and canceled runs from the history, and returns their root jobs to the queue.
 * Rejected if a run's end is not the end that the retry was planned for.
 */
record ReopenRunsStatement(List<ReopenedRun> runs, Set<String> claimable)
        implements RunRowsStatement<ReopenedRun>, FreeingStatement {
    static final Section<ReopenedRun, ReopenRunsStatement> SECTION =
            new Section<>(FlushOrder.REOPEN_RUNS, runs -> new ReopenRunsStatement(runs, new TreeSet<>()));

    private static final RowsSql SQL = new RowsSql("""
            with wanted as (
                select * from $rows(
                    bucket int4, id uuid, ended_micros int8, version int8, order_key int8, deadline_millis int8, limit_key text,
                    pending int4) as w
            ), gone as (
                delete from job_history h using wanted w
                where h.bucket = w.bucket and h.id = any (array[w.id]) and h.status in ({EndStatus.FAILED}, {EndStatus.CANCELED})
                  and (extract(epoch from h.ended_at) * 1000000)::bigint = w.ended_micros
                returning h.*, w.version, w.order_key, w.deadline_millis, w.limit_key, w.pending
            ), kept as (
                insert into job_attempt
                    (run_id, job_id, attempt, step_key, began_at, ended_at, worker_name, error_name, error_message)
                select run_id, id, attempt, step_key, started_at, ended_at, worker_name, error_name, coalesce(left(error_message, 2000), '')
                from gone where kind in ({JobKind.SCRIPT}, {JobKind.HANDLER}) and error_name is not null and started_at is not null
                on conflict (run_id, job_id, attempt) do nothing
            ), back as (
                insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key,
                    state, attempt, version, timeout_millis, retry, input, traceparent, created_at,
                    run_after, limit_key)
                select bucket, id, run_id, workspace, kind, target, name, step_key,
                    case when kind in ({JobKind.SCRIPT}, {JobKind.HANDLER}) then routed_tag(workspace, tag) else tag end, coalesce(priority, 0), order_key,
                    case when limit_key is not null or target = '' or pending = 1 then {JobState.TO_START} when kind = {JobKind.FLOW} then {JobState.FLOW_RUNNING} else {JobState.QUEUED} end, case when kind = {JobKind.FLOW} then attempt else attempt + 1 end, version,
                    coalesce(timeout_millis, ?), retry, coalesce(input, '{}'), traceparent, created_at,
                    case when limit_key is null then now() + deadline_millis * interval '1 millisecond' end, limit_key
                from gone
                returning tag, state = {JobState.QUEUED} as is_claimable
            )
            select expect_rows('reopen_runs', ?, (select count(*) from back)),
                   (select array_agg(distinct tag) from back where is_claimable) as tags
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        RunRowsStatement.super.bind(binder);
        binder.numbers(runs, ReopenedRun::endedMicros);
        binder.numbers(runs, ReopenedRun::version);
        binder.numbers(runs, run -> run.run().orderKey());
        binder.optionalNumbers(
                runs, run -> run.timeout().map(Duration::toMillis).orElse(null));
        binder.texts(runs, run -> run.limitKey().orElse(null));
        binder.integers(runs, run -> run.isPending() ? 1 : 0);
        binder.number(JobOptions.TIMEOUT_LIMIT.toMillis());
        binder.number(runs.size());
    }
}
