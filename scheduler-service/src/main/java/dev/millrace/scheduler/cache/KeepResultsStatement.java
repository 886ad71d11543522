package dev.millrace.scheduler.cache;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/**
 * Caches results as their calls request, unless their run is marked as uncached. Rows are written in the order of their
 * keys, so lanes that cache the same results wait for one another without deadlock.
 */
record KeepResultsStatement(List<KeptResult> results) implements LaneStatement {
    static final Section<KeptResult, KeepResultsStatement> SECTION =
            new Section<>(FlushOrder.KEEP_RESULTS, KeepResultsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with ended as (
                select * from $rows(bucket int4, run_id uuid, step_key text, result text) as e
            ), asked as (
                delete from result_cache_call c using ended e
                where c.bucket = any (array[e.bucket]) and c.run_id = e.run_id and c.step_key = e.step_key
                returning c.run_id, c.workspace, c.key, c.ttl_millis, e.result
            ), kept as (
                insert into result_cache (workspace, key, result, expires_at)
                select distinct on (workspace, key) workspace, key, result::json, now() + ttl_millis * interval '1 millisecond'
                from asked where not $marked order by workspace, key
                on conflict (workspace, key) do update set result = excluded.result, expires_at = excluded.expires_at
                returning 1
            )
            select count(*) from kept
            """.replace("$marked", UncachedRunStore.isMarked("asked.run_id")));

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return results.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.runs(results, KeptResult::run);
        binder.texts(results, KeptResult::stepKey);
        binder.texts(results, result -> result.result().text());
    }
}
