package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.HistorySql;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/** Copies history rows unchanged into other runs. */
record CopyStepsStatement(List<CopiedStep> steps) implements LaneStatement {
    static final Section<CopiedStep, CopyStepsStatement> SECTION =
            new Section<>(FlushOrder.COPY_STEPS, CopyStepsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with wanted as (
                select * from $rows(from_bucket int4, from_id uuid, to_bucket int4, to_id uuid, to_run uuid) as w
            ), copied as ("""
            + HistorySql.insert(
                    "wanted w join job_history h on h.bucket = w.from_bucket and h.id = any (array[w.from_id])",
                    "bucket = w.to_bucket",
                    "id = w.to_id",
                    "run_id = w.to_run",
                    "tag",
                    "status",
                    "session_id",
                    "worker_name",
                    "result",
                    "error_name",
                    "error_message",
                    "error_stack",
                    "started_at",
                    "ended_at")
            + """
                returning 1
            )
            select expect_rows('copy_steps', ?, (select count(*) from copied))
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
        binder.jobs(steps, CopiedStep::original);
        binder.jobs(steps, CopiedStep::copy);
        binder.uuids(steps, step -> step.run().value());
        binder.number(steps.size());
    }
}
