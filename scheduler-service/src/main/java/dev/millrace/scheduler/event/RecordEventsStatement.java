package dev.millrace.scheduler.event;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/** Inserts events about what enters the queue or returns to it, which the plan of the flush knows. */
record RecordEventsStatement(List<EventRow> events) implements LaneStatement {
    static final Section<EventRow, RecordEventsStatement> SECTION =
            new Section<>(FlushOrder.RECORD_EVENTS, RecordEventsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with recorded as (
                insert into event (workspace, type, run_id, name, step_key, detail)
                select e.workspace, e.type, e.run_id, e.name, e.step_key, e.detail::json
                from $rows(workspace text, type text, run_id uuid, name text, step_key text, detail text) as e
                returning 1
            )
            select expect_rows('record_events', ?, (select count(*) from recorded))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return events.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.texts(events, event -> event.workspace().name());
        binder.texts(events, EventRow::type);
        binder.uuids(events, event -> event.run().value());
        binder.texts(events, EventRow::name);
        binder.texts(events, EventRow::stepKey);
        binder.texts(events, event -> event.detail().text());
        binder.number(events.size());
    }
}
