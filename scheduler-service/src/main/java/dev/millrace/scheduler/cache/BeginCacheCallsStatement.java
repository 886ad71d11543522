package dev.millrace.scheduler.cache;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Records how the results of live steps are to be cached. If a step begins again, its new call replaces the old one.
 */
record BeginCacheCallsStatement(List<CacheCall> calls) implements LaneStatement {
    static final Section<CacheCall, BeginCacheCallsStatement> SECTION =
            new Section<>(FlushOrder.BEGIN_CACHE_CALLS, calls -> new BeginCacheCallsStatement(lastOfEachStep(calls)));

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

    /** Keeps only the last call of each step. */
    private static List<CacheCall> lastOfEachStep(List<CacheCall> calls) {
        Map<String, CacheCall> last = new LinkedHashMap<>();
        calls.forEach(call -> last.put(call.run() + " " + call.stepKey(), call));
        return List.copyOf(last.values());
    }

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
        binder.texts(calls, call -> call.workspace().name());
        binder.texts(calls, call -> call.key().hex());
        binder.numbers(calls, call -> call.ttl().toMillis());
        binder.number(calls.size());
    }
}
