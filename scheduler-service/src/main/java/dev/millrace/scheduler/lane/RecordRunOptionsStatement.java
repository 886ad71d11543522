package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.Json;
import java.sql.SQLException;
import java.util.List;

/** Records what was asked for with runs beside what their root jobs keep. */
public record RecordRunOptionsStatement(List<RunOption> options) implements LaneStatement {
    public static final Section<RunOption, RecordRunOptionsStatement> SECTION =
            new Section<>(FlushOrder.RECORD_RUN_OPTIONS, RecordRunOptionsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with recorded as (
                insert into run_option (run_id, env, job_limit)
                select run_id, env::json, job_limit::json
                from $rows(run_id uuid, env text, job_limit text) as o
                returning 1
            )
            select expect_rows('record_run_options', ?, (select count(*) from recorded))
            """);

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
        binder.texts(options, option -> option.env().map(Json::text).orElse(null));
        binder.texts(options, option -> option.limit().map(LimitJson::write).orElse(null));
        binder.number(options.size());
    }
}
