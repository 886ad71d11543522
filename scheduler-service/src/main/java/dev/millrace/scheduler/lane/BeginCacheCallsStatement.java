package dev.millrace.scheduler.lane;

import java.sql.SQLException;
import java.util.List;

/** Notes how the results of live steps are to be kept. A step that begins again takes the place of what it was before. */
record BeginCacheCallsStatement(List<CacheCall> calls) implements LaneStatement {
    private static final RowsSql SQL = new RowsSql("""
            with added as (
                insert into result_cache_call (bucket, run_id, step_key, workspace, key, ttl_millis)
                select bucket, run_id, step_key, workspace, decode(key, 'hex'), ttl_millis
                from $rows(bucket int4, run_id uuid, step_key text, workspace text, key text, ttl_millis int8) as c
                on conflict (bucket, run_id, step_key) do update set key = excluded.key, ttl_millis = excluded.ttl_millis
                returning 1
            )
            select expect_rows('begin_cache_calls', ?, (select count(*) from added))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return calls.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.runs(calls, CacheCall::run);
        binder.texts(calls, CacheCall::stepKey);
        binder.texts(calls, CacheCall::workspace);
        binder.texts(calls, call -> call.key().hex());
        binder.numbers(calls, call -> call.ttl().toMillis());
        binder.number(calls.size());
    }
}
