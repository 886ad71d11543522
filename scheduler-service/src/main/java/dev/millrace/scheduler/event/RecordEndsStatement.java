package dev.millrace.scheduler.event;

import static java.util.stream.Collectors.joining;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.JobKind;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Inserts the events of all that ends in this flush. It reads the rows that the statements before it have put into the
 * history, which alone tell what a cancellation has ended: those with the time of this transaction.
 */
record RecordEndsStatement(List<EndedIn> runs) implements LaneStatement {
    static final Section<EndedIn, RecordEndsStatement> SECTION =
            new Section<>(FlushOrder.RECORD_END_EVENTS, RecordEndsStatement::new);

    private static final String KINDS = Stream.of(JobKind.values())
            .map(kind -> "'" + kind.name().toLowerCase(Locale.ROOT) + "'")
            .collect(joining(", "));

    private static final RowsSql SQL = new RowsSql("""
            with touched as (
                select * from $rows(run_id uuid, since uuid, run_name text) as t
            ), recorded as (
                insert into event (workspace, type, run_id, name, step_key, detail)
                select h.workspace,
                    case when h.id = h.run_id then 'run.' when h.kind in ({JobKind.WAIT}, {JobKind.CHILD_RUN}) then 'wait.' else 'step.' end
                        || (array['succeeded', 'failed', 'canceled', 'skipped'])[h.status],
                    h.run_id, case when h.id = h.run_id then h.name else t.run_name end, h.step_key,
                    json_strip_nulls(json_build_object('job_id', h.id, 'kind', (array[$kinds])[h.kind], 'path', nullif(h.name, ''),
                        'attempt', h.attempt, 'worker', nullif(h.worker_name, ''), 'created_at', h.created_at, 'started_at', h.started_at,
                        'error', case when h.error_name is not null
                            then json_build_object('name', left(h.error_name, 200), 'message', left(h.error_message, 1000)) end))
                from touched t cross join lateral (
                    select * from job_history h
                    where h.run_id = t.run_id and h.ended_at = now() and h.id >= t.since
                ) h
                where h.kind <> {JobKind.RESET} and h.step_key not like '%#open'
                  and (
                      select true from event_recording r where r.workspace = h.workspace
                        and (r.scope = 'steps' or h.id = h.run_id or h.kind in ({JobKind.WAIT}, {JobKind.CHILD_RUN}))
                      limit 1
                  )
                order by h.id = h.run_id, h.id
                returning 1
            )
            select count(*) from recorded
            """.replace("$kinds", KINDS));

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
        binder.uuids(runs, ended -> ended.run().value());
        binder.uuids(runs, ended -> ended.run().jobsSince());
        binder.texts(runs, EndedIn::name);
    }
}
