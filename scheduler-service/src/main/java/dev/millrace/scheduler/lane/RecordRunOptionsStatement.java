package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.Json;
import java.sql.SQLException;
import java.util.List;

/** Records what was asked for with runs beside what their root jobs keep. */
record RecordRunOptionsStatement(List<RunOption> options) implements LaneStatement {
    private static final String SQL = """
            with recorded as (
                insert into run_option (run_id, env, job_limit)
                select run_id, env::json, job_limit::json
                from unnest(?::uuid[], ?::text[], ?::text[]) as o(run_id, env, job_limit)
                returning 1
            )
            select expect_rows('record_run_options', ?, (select count(*) from recorded))
            """;

    @Override
    public String sql() {
        return SQL;
    }

    @Override
    public void bind(ArrayBinder binder) throws SQLException {
        binder.uuids(options, option -> option.run().value());
        binder.texts(options, option -> option.env().map(Json::text).orElse(null));
        binder.texts(options, option -> option.limit().map(LimitJson::write).orElse(null));
        binder.number(options.size());
    }
}
