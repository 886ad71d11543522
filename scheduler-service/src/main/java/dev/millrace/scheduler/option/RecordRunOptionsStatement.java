package dev.millrace.scheduler.option;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.KeptOptionColumn;
import java.sql.SQLException;
import java.util.List;

/** Records the options of runs that their root jobs' rows do not contain. */
public record RecordRunOptionsStatement(List<RunOption> options) implements LaneStatement {
    public static final Section<RunOption, RecordRunOptionsStatement> SECTION =
            new Section<>(FlushOrder.RECORD_RUN_OPTIONS, RecordRunOptionsStatement::new);

    private static final RowsSql SQL = new RowsSql(
            """
            with recorded as (
                $insert
                returning 1
            )
            select expect_rows('record_run_options', ?, (select count(*) from recorded))
            """.replace("$insert", KeptOptionColumn.insert("$rows(" + KeptOptionColumn.declared() + ") as o")));

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return options.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.uuids(options, option -> option.run().value());
        for (KeptOptionColumn column : KeptOptionColumn.ALL) {
            binder.texts(options, option -> column.write(option.options()));
        }
        binder.number(options.size());
    }
}
