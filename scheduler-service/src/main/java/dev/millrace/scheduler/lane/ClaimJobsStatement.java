package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.JobColumns;
import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.SlotRef;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.SchedulerId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Leases waiting jobs to slot groups with room, ordered by priority and age.
 *
 * <p>For each tag of a group, the statement locks as many rows as the group has room for. It leases the first rows of
 * all tags and unlocks the others. {@code holder} must hold the sessions of the groups.
 */
final class ClaimJobsStatement implements LaneStatement {
    static final Section<Claim, ClaimJobsStatement> SECTION =
            Section.ofScheduler(FlushOrder.CLAIM_JOBS, ClaimJobsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with wanted as (
                select row_number() over () as claim, w.* from $rows(room int4, session_id uuid, token int8) as w
            ), tagged as (
                select * from $rows(claim int4, tag text) as t
            ), found as materialized (
                select w.claim, j.bucket, j.id, j.priority, j.order_key, w.room
                from wanted w join tagged t on t.claim = w.claim
                cross join lateral (
                    select q.bucket, q.id, q.priority, q.order_key from job_queue q
                    where q.state = {JobState.QUEUED} and q.tag = t.tag
                    order by q.priority desc, q.order_key, q.id
                    limit w.room
                    for update skip locked
                ) j
            ), ranked as (
                select *, row_number() over (partition by claim order by priority desc, order_key, id) as place from found
            ), chosen as (
                select distinct on (bucket, id) * from ranked where place <= room order by bucket, id, claim
            ), leased as (
                update job_queue q
                set state = {JobState.LEASED}, session_id = w.session_id, lease_token = w.token + c.place - 1
                from chosen c join wanted w on w.claim = c.claim
                where q.bucket = c.bucket and q.id = any (array[c.id])
                returning c.claim, c.place, q.*
            )
            select * from leased where 0 =
            """ + HeldSessionsSql.check("leased") + " order by claim, place");

    private record Tagged(int claim, String tag) {}

    private final SchedulerId holder;
    private final List<Claim> claims;
    private final List<Tagged> tagged = new ArrayList<>();
    private final List<List<LeaseReceiver.Delivery>> claimed = new ArrayList<>();
    private final List<LeaseReceiver.Delivery> all = new ArrayList<>();

    ClaimJobsStatement(SchedulerId holder, List<Claim> claims) {
        this.holder = holder;
        this.claims = claims;
        for (int i = 0; i < claims.size(); i++) {
            int claim = i + 1;
            claims.get(i).capacity().tags().forEach(tag -> tagged.add(new Tagged(claim, tag)));
            claimed.add(new ArrayList<>());
        }
    }

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return Math.max(claims.size(), tagged.size());
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.integers(claims, claim -> claim.capacity().room());
        binder.uuids(claims, claim -> claim.capacity().slot().session().value());
        binder.numbers(claims, claim -> claim.firstToken().value());
        binder.integers(tagged, Tagged::claim);
        binder.texts(tagged, Tagged::tag);
        binder.uuid(holder.value());
    }

    @Override
    public void read(ResultSet rows) throws SQLException {
        while (rows.next()) {
            int claim = rows.getInt("claim") - 1;
            SlotRef slot = claims.get(claim).capacity().slot();
            LeasedJob lease = new LeasedJob(JobColumns.read(rows), slot, new LeaseToken(rows.getLong("lease_token")));
            LeaseReceiver.Delivery delivery = new LeaseReceiver.Delivery(lease, new Json(rows.getString("input")));
            claimed.get(claim).add(delivery);
            all.add(delivery);
        }
    }

    /** The leases of all claims. */
    List<LeaseReceiver.Delivery> claimed() {
        return all;
    }

    /** The leases of one claim, ordered by priority and age. */
    List<LeaseReceiver.Delivery> claimed(int claim) {
        return claimed.get(claim);
    }
}
