package dev.millrace.scheduler.explain;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.explain.core.LiveJob;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.WaitInput;
import dev.millrace.scheduler.signal.core.WaitSpec;
import dev.millrace.scheduler.tag.core.AbsentWorkers;
import dev.millrace.scheduler.tag.core.TagPause;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.Record;

/** Read-only store of the jobs of a run in the queue, with what each of them waits for. */
final class ExplainStore {
    /** Limit for counting the jobs ahead. */
    private static final int AHEAD_MAX = 10_000;

    /** Leaves out the job of the flow itself. An infinite time means that the job has no time to wait for. */
    private static final String LIVE = NamedCodes.expand("""
            select q.step_key, q.state, plain_tag(coalesce(q.own_tag, q.released_tag, q.tag)) as tag, q.attempt, w.worker_name,
                case when q.own_tag is not null then coalesce(k.worker_name, '') end as keeper,
                case when q.released_tag is not null then q.tag end as limit_queue, q.limit_max, q.limit_count, q.limit_millis,
                (select count(*)::int from job_queue o
                    where q.released_tag is not null and o.limit_queue = q.tag and o.released_tag is null and o.state in ({JobState.QUEUED}, {JobState.LEASED})) as released,
                (select count(*)::int from limited_begin b where q.released_tag is not null and b.limit_key = q.tag
                    and b.begun_at > statement_timestamp() - q.limit_millis * interval '1 millisecond') as begun,
                case when isfinite(q.run_after) then q.run_after end as run_after,
                case when q.state = {JobState.SUSPENDED} and q.kind = {JobKind.WAIT} then q.input::text end as awaited,
                case when q.kind = {JobKind.CHILD_RUN} then q.target end as child, q.name as child_flow, c.state as child_state, coalesce(c.held, false) as child_paused,
                (select count(*)::int from signal s where q.state = {JobState.SUSPENDED} and s.run_id = q.run_id and s.wait_id = q.id) as received,
                (select coalesce(sum((g.value ->> 'slots')::int), 0)::int
                    from worker_session s cross join json_array_elements(s.slot_groups) g
                    where q.state = {JobState.QUEUED} and s.expires_at > now() and s.ended_at is null
                    and case when q.own_tag is null then s.drained_at is null else s.id = k.session_id end and exists (select 1 from json_array_elements_text(g.value -> 'tags') t where t = plain_tag(coalesce(q.own_tag, q.released_tag, q.tag)))
                    and case when cardinality(s.workspaces) = 0 then not exists (select from workspace x where x.key = q.workspace and x.isolated)
                        else q.workspace = any (s.workspaces) end) as slots,
                (select string_agg('"' || s.worker_name || '": ' || (g.value ->> 'pause_reason'), ' ' order by s.worker_name)
                    from worker_session s cross join json_array_elements(s.slot_groups) g
                    where q.state = {JobState.QUEUED} and s.expires_at > now() and s.ended_at is null and g.value ->> 'pause_reason' <> '' and s.drained_at is null
                    and exists (select 1 from json_array_elements_text(g.value -> 'tags') t where t = plain_tag(coalesce(q.own_tag, q.released_tag, q.tag)))
                    and case when cardinality(s.workspaces) = 0 then not exists (select from workspace x where x.key = q.workspace and x.isolated)
                        else q.workspace = any (s.workspaces) end) as paused,
                (select string_agg(distinct '"' || s.worker_name || '"', ', ')
                    from worker_session s cross join json_array_elements(s.slot_groups) g
                    where q.state = {JobState.QUEUED} and s.expires_at > now() and s.ended_at is null and s.drained_at is not null
                    and exists (select 1 from json_array_elements_text(g.value -> 'tags') t where t = plain_tag(coalesce(q.own_tag, q.released_tag, q.tag)))
                    and case when cardinality(s.workspaces) = 0 then not exists (select from workspace x where x.key = q.workspace and x.isolated)
                        else q.workspace = any (s.workspaces) end) as drained,
                (select count(*)::int from (
                    select 1 from job_queue o
                    where q.state = {JobState.QUEUED} and o.state = {JobState.QUEUED} and o.tag = q.tag
                    and (-o.priority, o.order_key, o.id) < (-q.priority, q.order_key, q.id) limit ?) o) as ahead,
                p.tag as paused_tag, p.actor as pause_actor, p.reason as pause_reason, p.paused_at, case when isfinite(p.until_at) then p.until_at end as until_at,
                count(*) over ()::int as total
            from job_queue q left join worker_session w on w.id = q.session_id
            left join job_queue c on c.run_id = case when q.kind = {JobKind.CHILD_RUN} then q.target::uuid end and c.id = c.run_id
            left join worker_group k on k.bucket = q.bucket and k.run_id = q.run_id and k.id = q.group_id
            left join paused_tag p on q.state = {JobState.QUEUED} and p.tag = plain_tag(coalesce(q.own_tag, q.released_tag, q.tag)) and p.until_at > now()
            where q.bucket = ? and q.run_id = ? and not (q.id = q.run_id and q.kind = {JobKind.FLOW})
            order by q.id limit ?
            """);

    private static final String LIVE_KEYS = NamedCodes.expand("""
            select step_key from job_queue where bucket = ? and run_id = ? and not (id = run_id and kind = {JobKind.FLOW}) order by id limit ?
            """);

    /** Leaves out the results. */
    private static final String ROWS = """
            select id, kind, step_key from job_history where run_id = ? and (kind = ? or step_key = any (?::text[]))
            """;

    private final Database database;

    ExplainStore(Database database) {
        this.database = database;
    }

    /**
     * The oldest jobs and waits of a run.
     *
     * @param total number of all jobs and waits of the run
     */
    record Live(List<LiveJob> jobs, int total) {}

    Live load(RunId run, int limit) {
        return database.run(context -> {
            var rows = context.fetch(LIVE, AHEAD_MAX, run.bucket().value(), run.value(), limit);
            return new Live(
                    rows.map(ExplainStore::job),
                    rows.isEmpty() ? 0 : rows.getFirst().get("total", Integer.class));
        });
    }

    /** Keys of the oldest jobs and waits of a flow. */
    List<StepKey> liveKeys(RunId run, int limit) {
        return database.run(context -> context.fetch(LIVE_KEYS, run.bucket().value(), run.value(), limit)
                .map(row -> new StepKey(row.get("step_key", String.class))));
    }

    /** History rows of the begins and ends of some steps of a flow, and of all its resets. */
    List<FinishedStep> rowsOf(RunId run, List<StepKey> steps) {
        String[] keys = steps.stream().map(StepKey::text).toArray(String[]::new);
        return database.run(context ->
                context.fetch(ROWS, run.value(), JobKind.RESET.code(), keys).map(ExplainStore::row));
    }

    private static FinishedStep row(Record row) {
        return new FinishedStep(
                new JobId(row.get("id", UUID.class)),
                JobKind.ofCode(row.get("kind", Short.class)) == JobKind.RESET ? JobKind.RESET : JobKind.COMPUTE,
                new StepKey(row.get("step_key", String.class)),
                new Outcome.Succeeded(Json.NULL));
    }

    private static LiveJob job(Record row) {
        return new LiveJob(
                row.get("step_key", String.class),
                state(row.get("state", Short.class)),
                row.get("tag", String.class),
                row.get("attempt", Integer.class),
                Optional.ofNullable(row.get("run_after", OffsetDateTime.class)).map(OffsetDateTime::toInstant),
                Optional.ofNullable(row.get("worker_name", String.class)).orElse(""),
                row.get("slots", Integer.class),
                row.get("ahead", Integer.class),
                Optional.ofNullable(row.get("awaited", String.class))
                        .map(WaitInput::read)
                        .map(spec -> awaited(spec, row.get("received", Integer.class))),
                Optional.ofNullable(row.get("keeper", String.class)),
                limitQueue(row),
                Optional.ofNullable(row.get("child", String.class)).map(run -> child(run, row)),
                new AbsentWorkers(
                        Optional.ofNullable(row.get("paused", String.class)).orElse(""),
                        Optional.ofNullable(row.get("drained", String.class)).orElse("")),
                Optional.ofNullable(row.get("paused_tag", String.class)).map(tag -> pause(tag, row)));
    }

    private static TagPause pause(String tag, Record row) {
        return new TagPause(
                tag,
                row.get("pause_actor", String.class),
                row.get("pause_reason", String.class),
                row.get("paused_at", OffsetDateTime.class).toInstant(),
                Optional.ofNullable(row.get("until_at", OffsetDateTime.class)).map(OffsetDateTime::toInstant));
    }

    private static LiveJob.Child child(String run, Record row) {
        return new LiveJob.Child(
                run,
                row.get("child_flow", String.class),
                Optional.ofNullable(row.get("child_state", Short.class)).map(ExplainStore::state),
                row.get("child_paused", Boolean.class));
    }

    private static Optional<LiveJob.LimitQueue> limitQueue(Record row) {
        Integer max = row.get("limit_max", Integer.class);
        Integer count = row.get("limit_count", Integer.class);
        return Optional.ofNullable(row.get("limit_queue", String.class))
                .map(tag -> new JobLimit(
                        JobLimit.keyOf(tag),
                        max == null ? OptionalInt.empty() : OptionalInt.of(max),
                        Optional.ofNullable(count)
                                .map(jobs -> new JobLimit.Rate(
                                        jobs, Duration.ofMillis(row.get("limit_millis", Long.class))))))
                .map(limit -> new LiveJob.LimitQueue(
                        limit, row.get("released", Integer.class), row.get("begun", Integer.class)));
    }

    private static LiveJob.Awaited awaited(WaitSpec spec, int received) {
        return new LiveJob.Awaited(spec.kind(), spec.name(), spec.required(), received);
    }

    private static JobState state(short code) {
        return Stream.of(JobState.values())
                .filter(state -> state.code() == code)
                .findFirst()
                .orElseThrow();
    }
}
