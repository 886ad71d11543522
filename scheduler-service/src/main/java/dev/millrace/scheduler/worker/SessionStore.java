package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.SessionId;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jooq.Record;

/** Keeps sessions. All times are the database's. */
final class SessionStore {
    private static final String INSERT = """
            insert into worker_session (id, resume_token_hash, worker_name, version, runtimes, labels, slot_groups, expires_at)
            values (?, ?, ?, ?, ?::json, ?::json, ?::json, now() + ? * interval '1 millisecond')
            """;
    private static final String RESUME = """
            update worker_session
            set heartbeat_at = now(), expires_at = now() + ? * interval '1 millisecond', slot_groups = ?::json
            where id = ? and resume_token_hash = ? and expires_at > now()
            """;
    private static final String RESIZE = "update worker_session set slot_groups = ?::json where id = ?";
    private static final String EXTEND = """
            update worker_session
            set heartbeat_at = now(), expires_at = greatest(expires_at, now() + ? * interval '1 millisecond')
            where id = any (?) and expires_at > now()
            returning id
            """;
    private static final String EXPIRED = "select id, worker_name from worker_session where expires_at <= now()";
    private static final String LEASES = "select id, lease_token from job_queue where session_id = ? and state = 2";
    private static final String DELETE_EMPTY = """
            delete from worker_session s where s.id = ?
            and not exists (select from job_queue q where q.session_id = s.id and q.state = 2)
            """;
    private static final String LIST = """
            select s.*, (select count(*)::int from job_queue q where q.session_id = s.id and q.state = 2) as leased_jobs
            from worker_session s
            where s.expires_at > now() and (s.worker_name, s.id) > (?, ?::uuid)
            order by s.worker_name, s.id limit ?
            """;

    private final Database database;

    SessionStore(Database database) {
        this.database = database;
    }

    void insert(SessionId id, byte[] resumeTokenHash, Hello hello, Duration ttl) {
        database.run(context -> context.execute(
                INSERT,
                id.value(),
                resumeTokenHash,
                hello.getWorkerName(),
                hello.getVersion(),
                SessionJson.write(hello.getRuntimesMap()),
                SessionJson.write(hello.getLabelsMap()),
                SessionJson.writeGroups(hello.getSlotGroupsList()),
                ttl.toMillis()));
    }

    /** Extends a session that is still alive; false where it is not, or the secret is wrong. */
    boolean resume(SessionId id, byte[] resumeTokenHash, List<SlotGroup> groups, Duration ttl) {
        return database.run(context -> context.execute(
                        RESUME, ttl.toMillis(), SessionJson.writeGroups(groups), id.value(), resumeTokenHash))
                == 1;
    }

    /** Records the room of a worker, for those who list workers. */
    void resize(SessionId id, List<SlotGroup> groups) {
        database.run(context -> context.execute(RESIZE, SessionJson.writeGroups(groups), id.value()));
    }

    /** Extends sessions, never shortens them; returns those that were still alive. */
    List<SessionId> extend(Collection<SessionId> sessions, Duration ttl) {
        UUID[] ids = sessions.stream().map(SessionId::value).toArray(UUID[]::new);
        return database.run(context ->
                context.fetch(EXTEND, ttl.toMillis(), ids).map(row -> new SessionId(row.get(0, UUID.class))));
    }

    /** A session whose time is over. */
    record Expired(SessionId id, String workerName) {}

    List<Expired> expired() {
        return database.run(context -> context.fetch(EXPIRED)
                .map(row -> new Expired(new SessionId(row.get(0, UUID.class)), row.get(1, String.class))));
    }

    /** A lease that the database says a session holds. */
    record Held(JobId job, LeaseToken token) {}

    List<Held> leasesOf(SessionId session) {
        return database.run(context -> context.fetch(LEASES, session.value())
                .map(row -> new Held(new JobId(row.get(0, UUID.class)), new LeaseToken(row.get(1, Long.class)))));
    }

    /** Removes a session that holds nothing. */
    void deleteIfEmpty(SessionId session) {
        database.run(context -> context.execute(DELETE_EMPTY, session.value()));
    }

    /** Live sessions after a place in the order of names. */
    List<SessionRow> list(String afterName, UUID afterId, int limit) {
        return database.run(
                context -> context.fetch(LIST, afterName, afterId, limit).map(SessionStore::read));
    }

    private static SessionRow read(Record row) {
        return new SessionRow(
                new SessionId(row.get("id", UUID.class)),
                row.get("worker_name", String.class),
                row.get("version", String.class),
                row.get("runtimes", String.class),
                row.get("labels", String.class),
                row.get("slot_groups", String.class),
                row.get("leased_jobs", Integer.class),
                row.get("connected_at", OffsetDateTime.class).toInstant(),
                row.get("heartbeat_at", OffsetDateTime.class).toInstant());
    }
}
