package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.eventlog.EventRows;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.Record;

/** Stores sessions. All times are those of the database's clock. */
final class SessionStore {
    private static final String INSERT = """
            with changed as (
                insert into worker_session (id, resume_token_hash, credential_id, worker_name, version, workspaces, runtimes, labels, slot_groups, killable, holder, expires_at)
                values (?, ?, ?, ?, ?, ?, ?::json, ?::json, ?::json, ?, ?, now() + ? * interval '1 millisecond')
                returning id, worker_name, workspaces
            )
            """ + EventRows.OF_WORKERS;
    private static final String RESUME = """
            update worker_session
            set heartbeat_at = now(), expires_at = now() + ? * interval '1 millisecond', slot_groups = ?::json, holder = ?, begun_jobs = null
            where id = ? and resume_token_hash = ? and credential_id is not distinct from ? and ended_at is null
            returning drained_at is not null
            """;
    private static final String RESIZE = "update worker_session set slot_groups = ?::json where id = ?";
    private static final String REPORT = """
            update worker_session s set processes = r.processes from unnest(?::uuid[], ?::bytea[]) as r(id, processes)
            where s.id = r.id and s.holder = ? and s.ended_at is null
            """;
    private static final String SCRIPT_PATHS = """
            select v.workspace, v.hash, v.path from unnest(?::text[], ?::text[]) as asked(workspace, hash)
            join script_version v using (workspace, hash)
            """;
    private static final String NOTE_BEGUN = "update worker_session set begun_jobs = ? where id = ? and holder = ?";
    private static final String EXTEND = """
            update worker_session s
            set heartbeat_at = now(), expires_at = greatest(s.expires_at, now() + l.millis * interval '1 millisecond'), begun_jobs = null,
                occupancy_15s = l.last_15s, occupancy_5min = l.last_5min, occupancy_30min = l.last_30min
            from unnest(?::uuid[], ?::int8[], ?::int2[], ?::int2[], ?::int2[]) as l(id, millis, last_15s, last_5min, last_30min)
            where s.id = l.id and s.holder = ? and s.ended_at is null
            returning s.id, s.drained_at is not null
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
    private static final String CONCERNS =
            "select id from worker_session where id = any (?) and (holder = ? or ended_at is not null)";
    private static final String END = """
            with changed as (
                update worker_session set ended_at = now() where expires_at <= now() and ended_at is null
                and exists (select from session_watch where id = 1 and seen_at >= now() - ? * interval '1 millisecond')
                returning id, worker_name, workspaces, begun_jobs
            ), recorded as (
            """ + EventRows.OF_WORKERS + """
            )
            select id, worker_name, begun_jobs from changed
            """;
    /** Jobs that are leased to the session after its end have never begun. */
    private static final String LEAVE = """
            with changed as (
                update worker_session set ended_at = now(), begun_jobs = coalesce(begun_jobs, '{}') where id = ? and ended_at is null
                returning id, worker_name, workspaces
            )
            """ + EventRows.OF_WORKERS;

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
            select s.id, s.worker_name, s.version, s.runtimes, s.labels, s.slot_groups, s.killable, s.connected_at, s.heartbeat_at,
              s.drained_at, s.drain_actor, s.drain_reason, case when s.drained_at is null then 0 else %s end as drain_groups, s.occupancy_15s, s.occupancy_5min, s.occupancy_30min,
              case when ? then s.processes end as processes, (select count(*)::int from job_queue q where q.session_id = s.id and q.state = {JobState.LEASED}) as leased_jobs
            from worker_session s
            where s.expires_at > now() and s.ended_at is null and (s.worker_name, s.id) > (?, ?::uuid)
              and (? or s.workspaces && ?::text[] or (cardinality(s.workspaces) = 0 and ?))
            order by s.worker_name, s.id limit ?
            """.formatted(DrainStore.GROUPS));

    private static final String IS_KILLABLE =
            "select killable from worker_session where id = ? and expires_at > now() and ended_at is null";

    /** Longer than any flush that began before the end of the session can take. */
    private static final Duration KEPT_AFTER_END = Duration.ofSeconds(30);

    private final Database database;
    private final SchedulerId self;

    /**
     * Creates a store.
     *
     * @param self the scheduler that holds the sessions which are opened or resumed here
     */
    SessionStore(Database database, SchedulerId self) {
        this.database = database;
        this.self = self;
    }

    void insert(SessionId id, byte[] resumeTokenHash, Access access, Hello hello, Duration ttl) {
        String[] workspaces = access.worker().workspaces().orElse(Set.of()).stream()
                .map(Workspace::name)
                .toArray(String[]::new);
        database.run(context -> context.execute(
                INSERT,
                id.value(),
                resumeTokenHash,
                access.caller().credential().orElse(null),
                hello.getWorkerName(),
                hello.getVersion(),
                workspaces,
                SessionJson.write(hello.getRuntimesMap()),
                SessionJson.write(hello.getLabelsMap()),
                SessionJson.writeGroups(hello.getSlotGroupsList()),
                hello.getKillable(),
                self.value(),
                ttl.toMillis(),
                "worker.connected"));
    }

    /**
     * Extends a session that has not ended and takes it over from whichever scheduler held it. Returns whether its worker
     * is drained; empty if the session has ended, or the secret is wrong, or the session began under another token.
     */
    Optional<Boolean> resume(
            SessionId id, byte[] resumeTokenHash, Optional<UUID> credential, List<SlotGroup> groups, Duration ttl) {
        return database.run(context -> Optional.ofNullable(context.fetchOne(
                        RESUME,
                        ttl.toMillis(),
                        SessionJson.writeGroups(groups),
                        self.value(),
                        id.value(),
                        resumeTokenHash,
                        credential.orElse(null)))
                .map(row -> row.get(0, Boolean.class)));
    }

    /** Records the slot groups of a worker, for lists of workers. */
    void resize(SessionId id, List<SlotGroup> groups) {
        database.run(context -> context.execute(RESIZE, SessionJson.writeGroups(groups), id.value()));
    }

    /**
     * A session to keep.
     *
     * @param life time that it lives at least, from now
     */
    record Keep(SessionId id, Duration life, Occupancy occupancy) {}

    /**
     * Extends sessions, clears their lists of begun jobs, and stores how much their workers are used. Returns the sessions
     * that have not ended and that this scheduler holds, and for each of them whether its worker is drained.
     */
    Map<SessionId, Boolean> extend(Collection<Keep> sessions) {
        UUID[] ids = sessions.stream().map(keep -> keep.id.value()).toArray(UUID[]::new);
        Long[] millis = sessions.stream().map(keep -> keep.life.toMillis()).toArray(Long[]::new);
        return database.run(context -> context.fetch(
                        EXTEND,
                        ids,
                        millis,
                        percents(sessions, Occupancy::last15s),
                        percents(sessions, Occupancy::last5min),
                        percents(sessions, Occupancy::last30min),
                        self.value())
                .intoMap(row -> new SessionId(row.get(0, UUID.class)), row -> row.get(1, Boolean.class)));
    }

    private static Integer[] percents(Collection<Keep> sessions, ToIntFunction<Occupancy> window) {
        return sessions.stream().map(keep -> window.applyAsInt(keep.occupancy)).toArray(Integer[]::new);
    }

    /** Limits the remaining life of a session that this scheduler holds. */
    void shorten(SessionId session, Duration atMost) {
        database.run(context -> context.execute(SHORTEN, atMost.toMillis(), session.value(), self.value()));
    }

    /**
     * Records that a scheduler keeps sessions alive. If none did for longer than {@code gapMax}, no session could be
     * kept alive in that period. The reason may be that no scheduler ran or that the database was unavailable. Each
     * session that has not ended then gets its full time to live again.
     */
    void watch(Duration gapMax, Duration ttl) {
        database.run(context -> context.execute(WATCH, gapMax.toMillis(), ttl.toMillis()));
    }

    /** Stores what workers have reported about their processes, for lists of workers. */
    void report(Map<SessionId, ProcessReport> reports) {
        UUID[] ids = reports.keySet().stream().map(SessionId::value).toArray(UUID[]::new);
        byte[][] bytes =
                reports.values().stream().map(ProcessReport::toByteArray).toArray(byte[][]::new);
        database.run(context -> context.execute(REPORT, ids, bytes, self.value()));
    }

    /** Returns the sessions that have not ended, whichever scheduler holds them. */
    List<SessionId> alive(Collection<SessionId> sessions) {
        UUID[] ids = sessions.stream().map(SessionId::value).toArray(UUID[]::new);
        return database.run(
                context -> context.fetch(ALIVE, (Object) ids).map(row -> new SessionId(row.get(0, UUID.class))));
    }

    /** Returns the sessions that this scheduler holds, and those that have ended, whose jobs it may have to requeue. */
    Set<SessionId> concerns(Collection<SessionId> sessions) {
        UUID[] ids = sessions.stream().map(SessionId::value).toArray(UUID[]::new);
        return database.run(context ->
                context.fetch(CONCERNS, ids, self.value()).intoSet(row -> new SessionId(row.get(0, UUID.class))));
    }

    /**
     * A session that has ended, and may still hold jobs.
     *
     * @param begun jobs that had begun or may have begun; absent if unknown
     */
    record Ended(SessionId id, String workerName, Optional<Set<JobId>> begun) {}

    /**
     * Ends and returns the sessions that have expired; they can no longer be resumed or extended. Ends none if the last
     * {@link #watch} was longer ago than {@code gapMax}: the scheduler or the database may have been frozen since. The
     * next watch then extends the sessions.
     */
    List<Ended> end(Duration gapMax) {
        return ended(END, gapMax.toMillis(), "worker.lost");
    }

    /** Ends the session of a worker that leaves. */
    void leave(SessionId session) {
        database.run(context -> context.execute(LEAVE, session.value(), "worker.left"));
    }

    /** Returns all sessions that have ended and are not deleted. */
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

    /** Returns the time until the next session expires, unless it is extended; empty if there is no session. */
    Optional<Duration> untilNextExpiry() {
        return database.run(context -> Optional.ofNullable(context.fetchOne(NEXT_EXPIRY))
                .map(row -> row.get(0, Long.class))
                .map(millis -> Duration.ofMillis(Math.max(0, millis))));
    }

    /** Records which jobs of a session without a stream had begun, or may have begun, for whoever ends the session. */
    void noteBegun(SessionId id, Set<JobId> begun) {
        UUID[] jobs = begun.stream().map(JobId::value).toArray(UUID[]::new);
        database.run(context -> context.execute(NOTE_BEGUN, jobs, id.value(), self.value()));
    }

    /** The leases that sessions hold according to the database. */
    List<LeaseKey> leasesOf(Collection<SessionId> sessions) {
        UUID[] ids = sessions.stream().map(SessionId::value).toArray(UUID[]::new);
        return database.run(context -> context.fetch(LEASES, (Object) ids)
                .map(row -> new LeaseKey(new JobId(row.get(0, UUID.class)), new LeaseToken(row.get(1, Long.class)))));
    }

    /** Deletes a session that holds no leases, and ended so long ago that no pending flush can lease a job to it. */
    void deleteIfEmpty(SessionId session) {
        database.run(context -> context.execute(DELETE_EMPTY, session.value(), KEPT_AFTER_END.toMillis()));
    }

    /** Returns those live sessions after a given place that a caller may see, ordered by name. */
    List<SessionRow> list(String afterName, UUID afterId, VisibleWorkers visible, boolean processes, int limit) {
        String[] workspaces = visible.workspaces().stream().map(Workspace::name).toArray(String[]::new);
        return database.run(context -> context.fetch(
                        LIST, processes, afterName, afterId, visible.all(), workspaces, visible.shared(), limit)
                .map(SessionStore::read));
    }

    /** Whether a worker lets itself be killed; empty if its session is not live. */
    Optional<Boolean> isKillable(SessionId session) {
        return database.run(context -> Optional.ofNullable(context.fetchOne(IS_KILLABLE, session.value()))
                .map(row -> row.get(0, Boolean.class)));
    }

    /** Returns the paths under which these versions of scripts were stored last; empty for those that had none. */
    Map<ReportedVersion, String> scriptPaths(Set<ReportedVersion> versions) {
        List<ReportedVersion> asked = List.copyOf(versions);
        String[] workspaces =
                asked.stream().map(version -> version.workspace().name()).toArray(String[]::new);
        String[] hashes = asked.stream().map(ReportedVersion::hash).toArray(String[]::new);
        return database.run(context -> context.fetch(SCRIPT_PATHS, workspaces, hashes).stream()
                .collect(Collectors.toMap(
                        row -> new ReportedVersion(new Workspace(row.get(0, String.class)), row.get(1, String.class)),
                        row -> row.get(2, String.class))));
    }

    private static SessionRow read(Record row) {
        return new SessionRow(
                new SessionId(row.get("id", UUID.class)),
                row.get("worker_name", String.class),
                row.get("version", String.class),
                row.get("runtimes", String.class),
                row.get("labels", String.class),
                row.get("slot_groups", String.class),
                row.get("killable", Boolean.class),
                row.get("leased_jobs", Integer.class),
                row.get("connected_at", OffsetDateTime.class).toInstant(),
                row.get("heartbeat_at", OffsetDateTime.class).toInstant(),
                DrainStore.read(row),
                Optional.ofNullable(row.get("occupancy_15s", Integer.class))
                        .map(last15s -> new Occupancy(
                                last15s,
                                row.get("occupancy_5min", Integer.class),
                                row.get("occupancy_30min", Integer.class))),
                ReportedProcesses.read(row.get("processes", byte[].class)));
    }
}
