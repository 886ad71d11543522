package dev.millrace.scheduler.event;

import dev.millrace.scheduler.lane.Claim;
import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/** Inserts the events of the jobs that workers have claimed in this flush, which it learns from their lease tokens. */
record RecordClaimsStatement(List<Claim> claims) implements LaneStatement {
    static final Section<Claim, RecordClaimsStatement> SECTION =
            new Section<>(FlushOrder.RECORD_CLAIM_EVENTS, RecordClaimsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with claimed as (
                select * from $rows(session_id uuid, token int8, room int4) as c
            ), recorded as (
                insert into event (workspace, type, run_id, name, step_key, detail)
                select q.workspace, case when q.id = q.run_id then 'run.started' else 'step.started' end, q.run_id,
                    coalesce((select root.name from job_queue root where root.bucket = q.bucket and root.id = q.run_id), ''), q.step_key,
                    json_build_object('job_id', q.id, 'path', q.name, 'attempt', q.attempt, 'session_id', q.session_id)
                from claimed c cross join lateral (
                    select * from job_queue j
                    where j.session_id = c.session_id and j.state = {JobState.LEASED}
                      and j.lease_token >= c.token and j.lease_token < c.token + c.room
                    limit c.room
                ) q
                where (select true from event_recording r where r.workspace = q.workspace and (r.scope = 'steps' or q.id = q.run_id) limit 1)
                order by q.lease_token
                returning 1
            )
            select count(*) from recorded
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return claims.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.uuids(claims, claim -> claim.capacity().slot().session().value());
        binder.numbers(claims, claim -> claim.firstToken().value());
        binder.integers(claims, claim -> claim.capacity().room());
    }
}
