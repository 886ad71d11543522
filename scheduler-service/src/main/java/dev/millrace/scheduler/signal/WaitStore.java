package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.signal.core.SignalKind;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jooq.Record;

/** Reads the waits and signals of runs from Postgres. */
final class WaitStore {
    private static final int WAITS_FOR_EVENTS = 5;
    private static final UUID BEFORE_ALL = new UUID(0, 0);
    private static final String WAITS = NamedCodes.expand("""
            select q.id, q.step_key, q.state, q.input::text as input, q.created_at, q.run_after, s.received, s.approvers
            from job_queue q
            left join lateral (
                select count(*)::int as received, array_agg(s.who order by s.id) filter (where s.who <> '') as approvers
                from signal s where s.run_id = q.run_id and s.wait_id = q.id
            ) s on true
            where q.bucket = ? and q.run_id = ? and q.kind = {JobKind.WAIT} and q.id > ?
            """);
    private static final String PAGE = WAITS + " order by q.id limit ?";
    private static final String OF_STEP = WAITS + " and q.step_key = ? order by q.id limit 1";
    private static final String FOR_PEOPLE = NamedCodes.expand(
            WAITS + " and q.state = {JobState.SUSPENDED} and q.input ->> 'kind' <> 'signal' order by q.id limit ?");
    private static final String PENDING = NamedCodes.expand("""
            select q.run_id, r.name as run_name, q.id, q.step_key, q.state, q.input::text as input, q.created_at,
                q.run_after, s.received, s.approvers
            from job_queue q
            join job_queue r on r.bucket = q.bucket and r.id = q.run_id
            left join lateral (
                select count(*)::int as received, array_agg(s.who order by s.id) filter (where s.who <> '') as approvers
                from signal s where s.run_id = q.run_id and s.wait_id = q.id
            ) s on true
            where q.workspace = ? and q.kind = {JobKind.WAIT} and q.state = {JobState.SUSPENDED}
                and q.input ->> 'kind' <> 'signal' and q.id > ?
                and (?::text[] is null or split_part(r.name, '/', 1) = any (?::text[]) and r.name like '%/%')
            order by q.id limit ?
            """);
    private static final String OF_ID = NamedCodes.expand("""
            select run_id, step_key from job_queue
            where bucket = ? and id = ? and kind = {JobKind.WAIT} and state = {JobState.SUSPENDED}
            """);
    private static final String IS_LIVE = "select 1 from job_queue where bucket = ? and id = ? and id = run_id";
    private static final String HAS_ENDED = "select 1 from job_history where bucket = ? and id = ? and id = run_id";
    private static final String STEP_HAS_ENDED = NamedCodes.expand(
            "select 1 from job_history where run_id = ? and step_key = ? and kind = {JobKind.WAIT} limit 1");
    private static final String WORKSPACE = """
            select workspace from job_queue where bucket = ? and id = ? and id = run_id
            union all select workspace from job_history where bucket = ? and id = ? and id = run_id
            limit 1
            """;
    private static final String STARTER =
            "select started_by from run_option where run_id = ? and started_by is not null";
    private static final String SIGNALS = """
            select s.kind, s.name, s.step_key, s.payload::text as payload,
                coalesce((select q.step_key from job_queue q where q.bucket = s.bucket and q.id = s.wait_id),
                         (select h.step_key from job_history h where h.bucket = s.bucket and h.id = s.wait_id),
                         '') as taker
            from signal s where s.run_id = ?
            """;
    private static final String SIGNAL_OF_REQUEST = SIGNALS + " and s.request_id = ?";
    private static final String SIGNAL_OF_REQUESTS = SIGNALS + " and s.request_id ^@ ? order by s.id limit 1";

    private final Database database;

    WaitStore(Database database) {
        this.database = database;
    }

    /** Returns waits of the run, oldest first, from the one after {@code after} on. */
    List<WaitView> list(RunId run, Optional<JobId> after, int limit) {
        return database.run(context -> context.fetch(
                        PAGE,
                        run.bucket().value(),
                        run.value(),
                        after.map(JobId::value).orElse(BEFORE_ALL),
                        limit)
                .map(WaitStore::view));
    }

    /**
     * Returns waits for people of all runs of a workspace, oldest first, from the one after {@code after} on.
     *
     * @param folders folders whose runs count; absent for all runs
     */
    List<PendingWait> listPending(
            Workspace workspace, Optional<Set<String>> folders, Optional<JobId> after, int limit) {
        String[] named = folders.map(some -> some.toArray(String[]::new)).orElse(null);
        return database.run(context -> context.fetch(
                        PENDING, workspace.name(), after.map(JobId::value).orElse(BEFORE_ALL), named, named, limit)
                .map(row -> new PendingWait(
                        new RunId(row.get("run_id", UUID.class)), row.get("run_name", String.class), view(row))));
    }

    /** Returns the wait of a step; empty if there is none. */
    Optional<WaitView> find(RunId run, String stepKey) {
        return database.run(
                context -> context.fetchOptional(OF_STEP, run.bucket().value(), run.value(), BEFORE_ALL, stepKey)
                        .map(WaitStore::view));
    }

    /** Returns the step with this id that waits for an event; empty if there is none. */
    Optional<TaskSignals.Task> findStep(JobId id) {
        return database.run(context -> context.fetchOptional(OF_ID, id.bucket().value(), id.value())
                .map(row -> new TaskSignals.Task(
                        new RunId(row.get("run_id", UUID.class)), row.get("step_key", String.class))));
    }

    /** Returns who started the run; empty if that was somebody without a token. */
    Optional<String> findStarter(RunId run) {
        return database.run(
                context -> context.fetchOptional(STARTER, run.value()).map(row -> row.get(0, String.class)));
    }

    /** Returns the workspace of the run; empty if there is no such run. */
    Optional<Workspace> findWorkspace(RunId run) {
        short bucket = run.bucket().value();
        return database.run(context -> context.fetchOptional(WORKSPACE, bucket, run.value(), bucket, run.value())
                .map(row -> Workspace.of(row.get(0, String.class))));
    }

    /** Returns up to {@code limit} waits for people, oldest first. */
    List<WaitView> listForPeople(RunId run, int limit) {
        return database.run(context -> context.fetch(FOR_PEOPLE, run.bucket().value(), run.value(), BEFORE_ALL, limit)
                .map(WaitStore::view));
    }

    boolean isLive(RunId run) {
        return database.run(
                context -> context.fetchOptional(IS_LIVE, run.bucket().value(), run.value())
                        .isPresent());
    }

    boolean hasEnded(RunId run) {
        return database.run(
                context -> context.fetchOptional(HAS_ENDED, run.bucket().value(), run.value())
                        .isPresent());
    }

    /** Returns whether a wait of this step has ended. */
    boolean hasEnded(RunId run, String stepKey) {
        return database.run(context ->
                context.fetchOptional(STEP_HAS_ENDED, run.value(), stepKey).isPresent());
    }

    /** Returns the signal of a request. */
    Optional<PastSignal> findSignal(RunId run, String requestId) {
        return database.run(context ->
                context.fetchOptional(SIGNAL_OF_REQUEST, run.value(), requestId).map(WaitStore::past));
    }

    /** Returns the first signal whose request id begins with a prefix. */
    Optional<PastSignal> findFirstSignal(RunId run, String requestIdStart) {
        return database.run(context -> context.fetchOptional(SIGNAL_OF_REQUESTS, run.value(), requestIdStart)
                .map(WaitStore::past));
    }

    /** The current time of the database. */
    Instant now() {
        return database.run(context ->
                context.fetchSingle("select now()").get(0, OffsetDateTime.class).toInstant());
    }

    private static WaitView view(Record row) {
        boolean forEvents = row.get("state", Integer.class) == WAITS_FOR_EVENTS;
        String[] approvers = row.get("approvers", String[].class);
        return new WaitView(
                new JobId(row.get("id", UUID.class)),
                row.get("step_key", String.class),
                forEvents ? Optional.of(WaitInput.read(row.get("input", String.class))) : Optional.empty(),
                row.get("received", Integer.class),
                approvers == null ? List.of() : List.of(approvers),
                instant(row.get("created_at", OffsetDateTime.class)),
                Optional.ofNullable(row.get("run_after", OffsetDateTime.class)).map(WaitStore::instant));
    }

    private static PastSignal past(Record row) {
        return new PastSignal(
                SignalKind.ofCode(row.get("kind", Integer.class)),
                row.get("name", String.class),
                row.get("step_key", String.class),
                row.get("payload", String.class),
                row.get("taker", String.class));
    }

    private static Instant instant(OffsetDateTime time) {
        return time.toInstant();
    }
}
