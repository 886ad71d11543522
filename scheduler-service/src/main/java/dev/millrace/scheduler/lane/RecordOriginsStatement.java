package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobId;
import java.sql.SQLException;
import java.util.List;

/** Records the origins of runs that were started because of other runs. */
public record RecordOriginsStatement(List<RunOrigin> origins) implements LaneStatement {
    public static final Section<RunOrigin, RecordOriginsStatement> SECTION =
            new Section<>(FlushOrder.RECORD_ORIGINS, RecordOriginsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with recorded as (
                insert into run_origin (run_id, origin_run_id, relation, step_key, wait_id, depth)
                select * from $rows(run_id uuid, origin_run_id uuid, relation text, step_key text, wait_id uuid, depth int4) as o
                returning 1
            )
            select expect_rows('record_origins', ?, (select count(*) from recorded))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return origins.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.uuids(origins, origin -> origin.run().value());
        binder.uuids(origins, origin -> origin.origin().value());
        binder.texts(origins, origin -> origin.relation().text());
        binder.texts(origins, RunOrigin::stepKey);
        binder.uuids(origins, origin -> origin.waitId().map(JobId::value).orElse(null));
        binder.integers(origins, RunOrigin::depth);
        binder.number(origins.size());
    }
}
