package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.eventlog.EventRows;
import dev.millrace.scheduler.queue.core.SessionId;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jooq.Record;

/** Stores which workers get no more jobs. */
final class DrainStore {
    /** Number of groups that have not ended and whose jobs only the worker {@code s} may run. */
    static final String GROUPS = "(select count(*)::int from worker_group g where g.session_id = s.id)";

    private static final String DRAIN = """
            with changed as (
                update worker_session s set drained_at = coalesce(drained_at, now()), drain_actor = ?, drain_reason = ?
                where id = ? and expires_at > now() and ended_at is null
                returning id, worker_name, workspaces, drain_actor, drain_reason, drained_at, %s as drain_groups
            ), recorded as (
            %s
            )
            select drain_actor, drain_reason, drained_at, drain_groups from changed
            """.formatted(GROUPS, EventRows.OF_WORKERS);
    private static final String RESUME = """
            with found as (
                select id, drained_at from worker_session where id = ? and expires_at > now() and ended_at is null for update
            ), changed as (
                update worker_session s set drained_at = null, drain_actor = null, drain_reason = null
                from found where s.id = found.id and found.drained_at is not null
                returning s.id, s.worker_name, s.workspaces
            ), recorded as (
            %s
            )
            select 1 from found
            """.formatted(EventRows.OF_WORKERS);

    private final Database database;

    DrainStore(Database database) {
        this.database = database;
    }

    /** Lets a worker get no more jobs, or changes who drains it and why; empty if its session is not live. */
    Optional<WorkerDrain> drain(SessionId session, String actor, String reason) {
        return database.run(context -> Optional.ofNullable(
                        context.fetchOne(DRAIN, actor, reason, session.value(), "worker.drained"))
                .flatMap(DrainStore::read));
    }

    /** Lets a worker get jobs again. Returns whether its session is live. */
    boolean resume(SessionId session) {
        return database.run(context -> context.fetchOne(RESUME, session.value(), "worker.resumed") != null);
    }

    /** The drain in a row of a session; empty if the worker gets jobs. */
    static Optional<WorkerDrain> read(Record row) {
        return Optional.ofNullable(row.get("drained_at", OffsetDateTime.class))
                .map(since -> new WorkerDrain(
                        row.get("drain_actor", String.class),
                        row.get("drain_reason", String.class),
                        since.toInstant(),
                        row.get("drain_groups", Integer.class)));
    }
}
