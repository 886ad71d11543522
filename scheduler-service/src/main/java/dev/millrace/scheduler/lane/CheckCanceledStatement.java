package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;
import java.sql.SQLException;
import java.util.List;

/**
 * Refuses a batch that cancels runs which were yet to be started, where another scheduler has started one meanwhile: its flow is then to be
 * cancelled instead. Looks anew, after {@link CancelJobsStatement}.
 */
record CheckCanceledStatement(List<RunId> runs) implements LaneStatement {
    private static final String SQL = """
            select expect_rows('check_canceled', 0, (
                select count(*) from unnest(?::int4[], ?::uuid[]) as c(bucket, id)
                join job_queue q on q.bucket = c.bucket and q.id = c.id))
            """;

    @Override
    public String sql() {
        return SQL;
    }

    @Override
    public void bind(ArrayBinder binder) throws SQLException {
        binder.runs(runs);
    }
}
