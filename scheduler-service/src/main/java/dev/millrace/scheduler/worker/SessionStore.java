package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.Record;

/** Keeps sessions. All times are the database's. */
final class SessionStore {
    private static final String INSERT = """
            insert into worker_session (id, resume_token_hash, worker_name, version, runtimes, labels, slot_groups, holder, expires_at)
            values (?, ?, ?, ?, ?::json, ?::json, ?::json, ?, now() + ? * interval '1 millisecond')
            """;
    private static final String RESUME = """
            update worker_session
            set heartbeat_at = now(), expires_at = now() + ? * interval '1 millisecond', slot_groups = ?::json, holder = ?, begun_jobs = null
            where id = ? and resume_token_hash = ? and ended_at is null
            """;
    private static final String RESIZE = "update worker_session set slot_groups = ?::json where id = ?";
    private static final String NOTE_BEGUN = "update worker_session set begun_jobs = ? where id = ? and holder = ?";
    private static final String EXTEND = """
            update worker_session s
            set heartbeat_at = now(), expires_at = greatest(s.expires_at, now() + l.millis * interval '1 millisecond'), begun_jobs = null
            from unnest(?::uuid[], ?::int8[]) as l(id, millis)
            where s.id = l.id and s.holder = ? and s.ended_at is null
            returning s.id
            """;
    private static final String SHORTEN = """
            update worker_session set expires_at = least(expires_at, now() + ? * interval '1 millisecond')
            where id = ? and holder = ? and ended_at is null
            """;
    private static final String WATCH = """
            with before as materialized (
                select seen_at from session_watch where id = 1 for update
            ), watched as (
                update session_watch w set seen_at = now() from before where w.id = 1
                returning now() - before.seen_at > ? * interval '1 millisecond' as after_a_gap
            )
            update worker_session s set expires_at = greatest(s.expires_at, now() + ? * interval '1 millisecond')
            from watched where watched.after_a_gap and s.ended_at is null
            """;
    private static final String ALIVE = "select id from worker_session where id = any (?) and ended_at is null";
    private static final String END = """
            update worker_session set ended_at = now() where expires_at <= now() and ended_at is null
            and exists (select from session_watch where id = 1 and seen_at >= now() - ? * interval '1 millisecond')
            returning id, worker_name, begun_jobs
            """;
    /** What is leased to the session after its end never began. */
    private static final String LEAVE = """
            update worker_session set ended_at = now(), begun_jobs = coalesce(begun_jobs, '{}') where id = ? and ended_at is null
            """;

    private static final String ENDED =
            "select id, worker_name, begun_jobs from worker_session where ended_at is not null";
    private static final String NEXT_EXPIRY = """
            select ceil(extract(epoch from min(expires_at) - now()) * 1000)::bigint from worker_session where ended_at is null
            """;
    private static final String LEASES = NamedCodes.expand(
            "select id, lease_token from job_queue where session_id = any (?) and state = {JobState.LEASED}");
    private static final String DELETE_EMPTY = NamedCodes.expand("""
            delete from worker_session s where s.id = ? and s.ended_at < now() - ? * interval '1 millisecond'
            and not exists (select from job_queue q where q.session_id = s.id and q.state = {JobState.LEASED})
            """);
    private static final String LIST = NamedCodes.expand("""
            select s.*, (select count(*)::int from job_queue q where q.session_id = s.id and q.state = {JobState.LEASED}) as leased_jobs
            from worker_session s
            where s.expires_at > now() and s.ended_at is null and (s.worker_name, s.id) > (?, ?::uuid)
            order by s.worker_name, s.id limit ?
            """);

    /** Longer than any flush that began before the end takes. */
    private static final Duration KEPT_AFTER_END = Duration.ofSeconds(30);

    private final Database database;
    private final SchedulerId self;

    /** @param self the scheduler that holds the sessions which are opened and resumed here */
    SessionStore(Database database, SchedulerId self) {
        this.database = database;
        this.self = self;
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
                self.value(),
                ttl.toMillis()));
    }

    /** Extends a session that has not ended and takes it over, whichever scheduler has held it; false where it is not, or the secret is wrong. */
    boolean resume(SessionId id, byte[] resumeTokenHash, List<SlotGroup> groups, Duration ttl) {
        return database.run(context -> context.execute(
                        RESUME,
                        ttl.toMillis(),
                        SessionJson.writeGroups(groups),
                        self.value(),
                        id.value(),
                        resumeTokenHash))
                == 1;
    }

    /** Records the room of a worker, for those who list workers. */
    void resize(SessionId id, List<SlotGroup> groups) {
        database.run(context -> context.execute(RESIZE, SessionJson.writeGroups(groups), id.value()));
    }

    /**
     * Lets each session live this long from now on, never shorter than before; which jobs had begun when it was last silent counts no more. Returns those
     * that have not ended and are held by this scheduler.
     */
    List<SessionId> extend(Map<SessionId, Duration> sessions) {
        UUID[] ids = sessions.keySet().stream().map(SessionId::value).toArray(UUID[]::new);
        Long[] millis = sessions.values().stream().map(Duration::toMillis).toArray(Long[]::new);
        return database.run(context ->
                context.fetch(EXTEND, ids, millis, self.value()).map(row -> new SessionId(row.get(0, UUID.class))));
    }

    /** Lets a session that is held by this scheduler live at most this long from now on. */
    void shorten(SessionId session, Duration atMost) {
        database.run(context -> context.execute(SHORTEN, atMost.toMillis(), session.value(), self.value()));
    }

    /**
     * Notes that a scheduler keeps sessions alive. If none did for longer than {@code gapMax}, because none ran or the database was away, no session
     * could be kept meanwhile, and each that has not ended gets a whole time to live.
     */
    void watch(Duration gapMax, Duration ttl) {
        database.run(context -> context.execute(WATCH, gapMax.toMillis(), ttl.toMillis()));
    }

    /** Those of the sessions that have not ended, whichever scheduler holds them. */
    List<SessionId> alive(Collection<SessionId> sessions) {
        UUID[] ids = sessions.stream().map(SessionId::value).toArray(UUID[]::new);
        return database.run(
                context -> context.fetch(ALIVE, (Object) ids).map(row -> new SessionId(row.get(0, UUID.class))));
    }

    /**
     * A session that has ended, and may still hold jobs.
     *
     * @param begun its jobs that had begun or may have; absent where nobody knows
     */
    record Ended(SessionId id, String workerName, Optional<Set<JobId>> begun) {}

    /**
     * Ends the sessions whose time is over, and returns them: none can be resumed or extended any more. Ends none where the last {@link #watch} is longer
     * ago than {@code gapMax}, as for a scheduler or a database that was frozen in between: the next one gives them their time.
     */
    List<Ended> end(Duration gapMax) {
        return ended(END, gapMax.toMillis());
    }

    /** Ends a session whose worker leaves. */
    void leave(SessionId session) {
        database.run(context -> context.execute(LEAVE, session.value()));
    }

    /** All sessions that have ended and are not removed. */
    List<Ended> ended() {
        return ended(ENDED);
    }

    private List<Ended> ended(String sql, Object... values) {
        return database.run(context -> context.fetch(sql, values)
                .map(row -> new Ended(
                        new SessionId(row.get(0, UUID.class)),
                        row.get(1, String.class),
                        Optional.ofNullable(row.get(2, UUID[].class))
                                .map(jobs ->
                                        Stream.of(jobs).map(JobId::new).collect(Collectors.toUnmodifiableSet())))));
    }

    /** Time until the next session expires unless it is extended; empty where there is none. */
    Optional<Duration> untilNextExpiry() {
        return database.run(context -> Optional.ofNullable(context.fetchOne(NEXT_EXPIRY))
                .map(row -> row.get(0, Long.class))
                .map(millis -> Duration.ofMillis(Math.max(0, millis))));
    }

    /** Records which jobs of a session whose stream has ended had begun, or may have, for whoever ends the session. */
    void noteBegun(SessionId id, Set<JobId> begun) {
        UUID[] jobs = begun.stream().map(JobId::value).toArray(UUID[]::new);
        database.run(context -> context.execute(NOTE_BEGUN, jobs, id.value(), self.value()));
    }

    /** A lease that the database says a session holds. */
    record Held(JobId job, LeaseToken token) {}

    List<Held> leasesOf(Collection<SessionId> sessions) {
        UUID[] ids = sessions.stream().map(SessionId::value).toArray(UUID[]::new);
        return database.run(context -> context.fetch(LEASES, (Object) ids)
                .map(row -> new Held(new JobId(row.get(0, UUID.class)), new LeaseToken(row.get(1, Long.class)))));
    }

    /** Removes a session that holds nothing, and ended long enough ago that no flush under way can still lease a job to it. */
    void deleteIfEmpty(SessionId session) {
        database.run(context -> context.execute(DELETE_EMPTY, session.value(), KEPT_AFTER_END.toMillis()));
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
