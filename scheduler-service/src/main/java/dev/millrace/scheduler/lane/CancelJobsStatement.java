package dev.millrace.scheduler.lane;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * Moves all live jobs of runs into the history as canceled.
 *
 * @param ended collects the ids of the jobs and the leases that workers hold on them
 */
public record CancelJobsStatement(List<CanceledRun> runs, EndedLeases ended) implements RunRowsStatement<CanceledRun> {
    static final Section<CanceledRun, CancelJobsStatement> SECTION =
            new Section<>(FlushOrder.CANCEL_JOBS, runs -> new CancelJobsStatement(runs, new EndedLeases()));

    private static final RowsSql SQL = new RowsSql("""
            with ended as (
                select * from $rows(bucket int4, run_id uuid, error_name text, error_message text) as e
            ), gone as (
                delete from job_queue q using ended e
                where q.bucket = e.bucket and q.run_id = any (array[e.run_id]) and q.state <> {JobState.FLOW_RUNNING}
                returning q.*, e.error_name, e.error_message
            ), recorded as ("""
            + HistorySql.insert(
                    "gone",
                    "status = {EndStatus.CANCELED}",
                    "session_id",
                    "lease_token",
                    "error_name",
                    "error_message",
                    "error_stack = ''",
                    "priority = case when id = run_id then priority end",
                    "timeout_millis = case when id = run_id then timeout_millis end",
                    "retry = case when id = run_id then retry end")
            + """
            )
            select error_message,""" + " " + EndedLeases.COLUMNS + " from gone");

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        RunRowsStatement.super.bind(binder);
        binder.texts(runs, run -> run.reason().name());
        binder.texts(runs, run -> run.reason().message());
    }

    @Override
    public void read(ResultSet rows) throws SQLException {
        ended.read(rows, "error_message");
    }
}
