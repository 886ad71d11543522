package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Inserts waits for a period, for a moment, for events, or for the end of a pause. */
record BeginWaitsStatement(List<BegunWait> waits) implements LaneStatement {
    static final Section<BegunWait, BeginWaitsStatement> SECTION =
            new Section<>(FlushOrder.BEGIN_WAITS, BeginWaitsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with begun as (
                insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key,
                    state, held, run_after, timeout_millis, input, traceparent)
                select bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key,
                    state, state = {JobState.HELD},
                    coalesce(timestamptz 'epoch' + moment_millis * interval '1 millisecond',
                             now() + time_millis * interval '1 millisecond'),
                    timeout_millis, input::json, traceparent
                from $rows(
                    bucket int4, id uuid, run_id uuid, workspace text, kind int4, target text, name text, step_key text, tag text,
                    priority int4, order_key int8, state int4, moment_millis int8, time_millis int8, timeout_millis int8,
                    input text, traceparent text) as w
                returning 1
            )
            select expect_rows('begin_waits', ?, (select count(*) from begun))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return waits.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.jobs(waits, wait -> wait.job().id());
        binder.uuids(waits, wait -> wait.job().run().value());
        binder.texts(waits, wait -> wait.job().workspace().name());
        binder.integers(waits, wait -> wait.job().kind().code());
        binder.texts(waits, wait -> wait.job().target());
        binder.texts(waits, wait -> wait.job().name());
        binder.texts(waits, wait -> wait.job().stepKey());
        binder.texts(waits, wait -> wait.job().options().tag());
        binder.integers(waits, wait -> wait.job().options().priority());
        binder.numbers(waits, wait -> wait.job().orderKey());
        binder.integers(waits, wait -> wait.state().code());
        binder.optionalNumbers(
                waits, wait -> wait.moment().map(Instant::toEpochMilli).orElse(null));
        binder.optionalNumbers(
                waits, wait -> wait.time().map(Duration::toMillis).orElse(null));
        binder.numbers(waits, wait -> wait.job().options().timeout().toMillis());
        binder.texts(waits, wait -> wait.input().text());
        binder.texts(waits, wait -> wait.job().traceparent());
        binder.number(waits.size());
    }
}
