package dev.millrace.scheduler.lane;

import java.sql.SQLException;
import java.util.List;

/**
 * Erases input, result and logs of all attempts of steps, and the messages of those that were repeated; their rows stay, marked as erased. Logs that arrive later are
 * erased by a retention sweep, which finds the run in {@code erased_run}.
 */
record EraseStepsStatement(List<ErasedSteps> steps) implements LaneStatement {
    static final Section<ErasedSteps, EraseStepsStatement> SECTION =
            new Section<>(FlushOrder.ERASE_STEPS, EraseStepsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with ended as (
                select * from $rows(bucket int4, run_id uuid, since uuid, step_keys text) as e
            ), erased as (
                update job_history h set input = null, result = null, erased = true
                from ended e
                where h.run_id = any (array[e.run_id]) and h.id >= e.since and h.bucket = e.bucket and h.kind in ({JobKind.SCRIPT}, {JobKind.HANDLER}) and h.step_key ~ e.step_keys
            ), silenced as (
                delete from job_log l using ended e where l.run_id = any (array[e.run_id]) and l.job_id >= e.since and l.step_key ~ e.step_keys
            ), unsaid as (
                update job_attempt a set error_message = ''
                from ended e
                where a.run_id = any (array[e.run_id]) and a.job_id >= e.since and a.step_key ~ e.step_keys
            ), noted as (
                insert into erased_run (run_id, step_keys)
                select run_id, array_agg(step_keys) from ended group by run_id
                on conflict (run_id) do update set ended_at = now()
                returning 1
            )
            select count(*) from noted
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return steps.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.runs(steps, ErasedSteps::run);
        binder.uuids(steps, erased -> erased.run().jobsSince());
        binder.texts(steps, ErasedSteps::stepKeys);
    }
}
