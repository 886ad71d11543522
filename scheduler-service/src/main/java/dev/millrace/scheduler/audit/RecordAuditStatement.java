package dev.millrace.scheduler.audit;

import dev.millrace.scheduler.audit.core.AuditEvent;
import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.Workspace;
import java.sql.SQLException;
import java.util.List;

/**
 * Inserts the events of calls whose changes the flush makes. If such a call has given up waiting, its event is there
 * already.
 */
record RecordAuditStatement(List<AuditEvent> events) implements LaneStatement {
    static final Section<AuditEvent, RecordAuditStatement> SECTION =
            new Section<>(FlushOrder.RECORD_AUDIT, RecordAuditStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with recorded as (
                insert into audit_event (id, workspace, principal, credential_id, address, action, subject, outcome, detail)
                select id, workspace, principal, credential_id, address, action, subject, 'allowed', detail::json
                from $rows(id uuid, workspace text, principal text, credential_id uuid, address text, action text, subject text, detail text) as e
                on conflict (id) do update set outcome = excluded.outcome
                returning 1
            )
            select expect_rows('record_audit', ?, (select count(*) from recorded))
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
        binder.uuids(events, AuditEvent::id);
        binder.texts(events, event -> event.workspace().map(Workspace::name).orElse(""));
        binder.texts(events, AuditEvent::principal);
        binder.uuids(events, event -> event.credential().orElse(null));
        binder.texts(events, AuditEvent::address);
        binder.texts(events, AuditEvent::action);
        binder.texts(events, AuditEvent::subject);
        binder.texts(events, AuditEvent::detail);
        binder.number(events.size());
    }
}
