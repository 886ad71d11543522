package dev.millrace.scheduler.lane;

import java.sql.SQLException;
import java.util.List;

/** Notes that runs are to be cancelled because nobody waits for them any more. Comes before the statement that takes the waits away. */
record NoteAbandonedStatement(List<AbandonedWait> waits) implements LaneStatement {
    private static final String SQL = """
            with abandoned as (
                select * from unnest(?::int4[], ?::uuid[], ?::text[]) as a(bucket, run_id, step_key)
            ), noted as (
                insert into child_note (child_run_id, kind, parent_run_id, step_key, wait_id)
                select q.target::uuid, 2, q.run_id, q.step_key, q.id
                from abandoned a join job_queue q on q.bucket = a.bucket and q.run_id = a.run_id
                where q.kind = 15 and q.target <> '' and a.step_key in ('', q.step_key)
                on conflict do nothing
                returning 1
            )
            select count(*) from noted
            """;

    @Override
    public String sql() {
        return SQL;
    }

    @Override
    public void bind(ArrayBinder binder) throws SQLException {
        binder.integers(waits, wait -> wait.run().bucket().value());
        binder.uuids(waits, wait -> wait.run().value());
        binder.texts(waits, AbandonedWait::stepKey);
    }
}
