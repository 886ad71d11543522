package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.database.Database;
import java.time.Duration;
import org.jooq.Record;

/**
 * Mutexes in Postgres. Each call is one statement, fenced by the lease of the calling job. Names count in the folder for
 * which the job acts, or in the whole workspace.
 *
 * <p>A mutex belongs to the job in its row until it expires or the job leaves the queue. Nothing happens when a job
 * ends, so jobs without mutexes pay nothing for them. The next attempt of a job takes its mutex over with a new fence,
 * which voids the holds of the attempt before.
 */
final class MutexStore {
    /** Maximum number of holds of a job on one mutex; a constraint of the table checks it, too. */
    static final int HOLDS_MAX = 100;

    /** The name of a mutex in its workspace. Binds whether its job names one of the workspace, and the name that it gives. */
    private static final String NAME = "case when ? then '' else folder end || '/' || ?::text";

    /**
     * The snapshot of the statement finds {@code abandoned}, while {@code on conflict} sees the newest row; equal
     * fences show that both are the same row. A job that has left the queue never holds its fence again.
     */
    private static final String ACQUIRE = (LeaseCredential.LEASE + """
            , wish as (
                select workspace, $name as name, bucket, id as job_id, lease_token, array[?::uuid] as holds,
                    now() + ?::bigint * interval '1 millisecond' as expires_at
                from lease
            ), abandoned as materialized (
                select m.fence from mutex m join wish using (workspace, name)
                where not exists (select 1 from job_queue q where q.bucket = m.bucket and q.id = m.job_id)
            ), taken as (
                insert into mutex as m (workspace, name, bucket, job_id, lease_token, holds, fence, expires_at)
                select workspace, name, bucket, job_id, lease_token, holds, nextval('mutex_fence'), expires_at from wish
                on conflict (workspace, name) do update
                set bucket = excluded.bucket,
                    job_id = excluded.job_id,
                    lease_token = excluded.lease_token,
                    (holds, fence, expires_at) = (
                        select case when goes_on and m.holds @> excluded.holds then m.holds
                                    when goes_on then m.holds || excluded.holds else excluded.holds end,
                            case when goes_on then m.fence else excluded.fence end,
                            case when goes_on then greatest(m.expires_at, excluded.expires_at) else excluded.expires_at end
                        from (select m.expires_at > now() and m.job_id = excluded.job_id
                            and m.lease_token = excluded.lease_token as goes_on) as tenure)
                where case
                    when m.expires_at <= now() or m.fence = (select fence from abandoned) then true
                    when m.job_id <> excluded.job_id then false
                    else m.lease_token <> excluded.lease_token or m.holds @> excluded.holds or cardinality(m.holds) < ? end
                returning fence
            )
            select (select count(*) from lease) as leases, (select fence from taken) as fence,
                m.job_id = lease.id and cardinality(m.holds) >= ? as full,
                ceil(extract(epoch from m.expires_at - now()) * 1000)::bigint as left_millis
            from (values (1)) as one left join lease on true
                left join wish on true left join mutex m on m.workspace = wish.workspace and m.name = wish.name
            """).replace("$name", NAME);

    private static final String RELEASE = (LeaseCredential.LEASE + """
            , held as materialized (
                select m.workspace, m.name, array_remove(m.holds, hold) as rest, m.expires_at > now() as live
                from lease l cross join lateral (select $name as name, ?::uuid as hold) wish
                    join mutex m on m.workspace = l.workspace and m.name = wish.name
                where m.job_id = l.id and m.lease_token = l.lease_token and m.holds @> array[hold]
                for update of m
            ), freed as (
                delete from mutex m using held
                where m.workspace = held.workspace and m.name = held.name and cardinality(held.rest) = 0
            ), kept as (
                update mutex m set holds = held.rest from held
                where m.workspace = held.workspace and m.name = held.name and cardinality(held.rest) > 0
            )
            select (select count(*) from lease) as leases, coalesce((select live from held), false) as released
            """).replace("$name", NAME);

    private final Database database;

    MutexStore(Database database) {
        this.database = database;
    }

    /** Acquires the mutex, or adds a hold if the job already has it. */
    MutexAnswer acquire(Hold hold, Duration ttl) {
        Record row = database.run(dsl -> dsl.fetchSingle(
                ACQUIRE,
                hold.lease().job().bucket().value(),
                hold.lease().job().value(),
                hold.lease().token().value(),
                hold.isOfWorkspace(),
                hold.mutex(),
                hold.id(),
                ttl.toMillis(),
                HOLDS_MAX,
                HOLDS_MAX));
        if (row.get("leases", Long.class) == 0) {
            return new MutexAnswer.LeaseLost();
        }
        Long fence = row.get("fence", Long.class);
        if (fence != null) {
            return new MutexAnswer.Acquired(fence);
        }
        if (Boolean.TRUE.equals(row.get("full", Boolean.class))) {
            return new MutexAnswer.TooManyHolds();
        }
        Long leftMillis = row.get("left_millis", Long.class);
        return new MutexAnswer.Busy(Duration.ofMillis(leftMillis == null ? 0 : Math.max(0, leftMillis)));
    }

    ReleaseAnswer release(Hold hold) {
        Record row = database.run(dsl -> dsl.fetchSingle(
                RELEASE,
                hold.lease().job().bucket().value(),
                hold.lease().job().value(),
                hold.lease().token().value(),
                hold.isOfWorkspace(),
                hold.mutex(),
                hold.id()));
        if (row.get("leases", Long.class) == 0) {
            return ReleaseAnswer.LEASE_LOST;
        }
        return row.get("released", Boolean.class) ? ReleaseAnswer.RELEASED : ReleaseAnswer.NOT_HELD;
    }

    /** Result of an attempt to release a hold. */
    enum ReleaseAnswer {
        RELEASED,
        /** The hold had expired, or was never acquired. */
        NOT_HELD,
        /** The job has lost its lease. */
        LEASE_LOST
    }
}
