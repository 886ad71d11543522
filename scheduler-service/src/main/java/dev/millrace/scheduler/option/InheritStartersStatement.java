package dev.millrace.scheduler.option;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/**
 * Records who started the runs that other runs start: whoever started those. Otherwise, people could approve in a run
 * below what they must not approve in their own, and jobs of the runs below could do more than those above.
 */
public record InheritStartersStatement(List<StartedRun> runs) implements LaneStatement {
    public static final Section<StartedRun, InheritStartersStatement> SECTION =
            new Section<>(FlushOrder.INHERIT_STARTERS, InheritStartersStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with inherited as (
                insert into run_option (run_id, started_by, starter_credential)
                select r.run_id, o.started_by, o.starter_credential
                from $rows(run_id uuid, parent_id uuid) as r join run_option o on o.run_id = any (array[r.parent_id])
                where o.started_by is not null
                returning 1
            )
            select count(*) from inherited
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return runs.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.uuids(runs, started -> started.run().value());
        binder.uuids(runs, started -> started.parent().value());
    }
}
