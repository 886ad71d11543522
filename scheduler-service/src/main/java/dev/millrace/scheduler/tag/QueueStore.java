package dev.millrace.scheduler.tag;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.tag.core.AbsentWorkers;
import dev.millrace.scheduler.tag.core.TagWorkers;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * Reads what waits under each tag. Costs a look-up in an index for each tag, and counts at most {@link #COUNTED_MAX}
 * jobs of each in the index alone, however many there are.
 */
final class QueueStore {
    /** Maximum number of jobs of a tag that are counted. */
    static final int COUNTED_MAX = 10_000;
    /** Maximum number of tags that are looked up in the queue, those of limits included. */
    static final int LOOKED_UP_MAX = 2_000;

    /** Number of jobs of a tag, the next ones, that are looked at to tell whose they are. */
    static final int OWNERS_LOOKED_AT = 20;

    private static final int FAULTS_LENGTH_MAX = 2_000;
    private static final int MILLIS_SHIFT = 16;

    /**
     * Plans made for small tables must suit large ones, hence no sequential scans. A job's id begins with its time, so the
     * smallest id is that of the oldest job.
     */
    private static final String NO_SCANS = "select set_config('enable_seqscan', 'off', true)";

    static final String WAITING = NamedCodes.expand("""
            with recursive names(tag, place) as (
                (select q.tag, 1 from job_queue q where q.state = {JobState.QUEUED} order by q.tag limit 1)
                union all
                select (select q.tag from job_queue q where q.state = {JobState.QUEUED} and q.tag > n.tag order by q.tag limit 1), place + 1
                from names n where n.tag is not null and place < ?
            ), asked as (
                select tag from names where tag not like '@%' union select unnest(?::text[])
            )
            select a.tag, w.waiting, w.oldest, o.workspaces, (select count(*) from names where tag is not null)::int as looked_up
            from asked a cross join lateral (
                select count(*)::int as waiting, min(j.id::text collate "C") as oldest from (
                    select q.id from job_queue q where q.state = {JobState.QUEUED} and q.tag = a.tag
                    order by q.priority desc, q.order_key, q.id limit ?
                ) j
            ) w cross join lateral (
                select coalesce(array_agg(distinct n.workspace), '{}') as workspaces from (
                    select q.workspace from job_queue q where q.state = {JobState.QUEUED} and q.tag = a.tag
                    order by q.priority desc, q.order_key, q.id limit ?
                ) n
            ) o
            order by a.tag
            """);

    static final String RUNNING = NamedCodes.expand("""
            select q.tag, count(*)::int as running, array_agg(distinct q.workspace) as workspaces
            from job_queue q where q.state = {JobState.LEASED} group by q.tag
            """);

    private static final String WORKERS = """
            select t.tag, s.workspaces, count(distinct s.id)::int as workers, coalesce(sum((g.value ->> 'slots')::int) filter (where s.drained_at is null), 0)::int as slots,
                left(string_agg('"' || s.worker_name || '": ' || (g.value ->> 'pause_reason'), ' ' order by s.worker_name)
                    filter (where g.value ->> 'pause_reason' <> '' and s.drained_at is null), ?) as faults,
                left(string_agg(distinct '"' || s.worker_name || '"', ', ') filter (where s.drained_at is not null), ?) as drained
            from worker_session s cross join json_array_elements(s.slot_groups) g cross join json_array_elements_text(g.value -> 'tags') t(tag)
            where s.ended_at is null and s.expires_at > now()
            group by t.tag, s.workspaces
            """;

    private final Database database;

    QueueStore(Database database) {
        this.database = database;
    }

    /**
     * Jobs that wait under a tag.
     *
     * @param waiting number of jobs, at most {@link #COUNTED_MAX} and one
     * @param oldest when the oldest of them was created
     * @param workspaces those of the next {@link #OWNERS_LOOKED_AT}
     */
    record Waiting(String tag, int waiting, Optional<Instant> oldest, Set<Workspace> workspaces) {
        Waiting {
            workspaces = Set.copyOf(workspaces);
        }
    }

    /** Jobs of a tag that workers have got, and the workspaces of these jobs. */
    record Running(int jobs, Set<Workspace> workspaces) {
        static final Running NONE = new Running(0, Set.of());

        Running {
            workspaces = Set.copyOf(workspaces);
        }

        Running and(Running other) {
            return new Running(jobs + other.jobs, union(workspaces, other.workspaces));
        }
    }

    /** Workers that announce a tag, and the workspaces that their tokens name; empty for all that are not isolated. */
    record Serving(String tag, Set<Workspace> workspaces, TagWorkers workers) {
        Serving {
            workspaces = Set.copyOf(workspaces);
        }
    }

    /**
     * What was read.
     *
     * @param waiting the tags of the queue, and those that were asked for
     * @param running jobs that workers have got, by the tag under which they waited
     * @param isComplete whether all tags of the queue were looked up
     */
    record Read(List<Waiting> waiting, Map<String, Running> running, List<Serving> serving, boolean isComplete) {
        Read {
            waiting = List.copyOf(waiting);
            running = Map.copyOf(running);
            serving = List.copyOf(serving);
        }
    }

    /**
     * Reads all queues.
     *
     * @param paused tags that are wanted whether jobs wait or not; so are those that workers announce
     */
    Read read(Collection<String> paused, int tagsMax) {
        return database.transaction(dsl -> {
            dsl.execute(NO_SCANS);
            List<Serving> serving =
                    dsl.fetch(WORKERS, FAULTS_LENGTH_MAX, FAULTS_LENGTH_MAX).map(QueueStore::serving);
            Set<String> asked = serving.stream()
                    .filter(each -> each.workspaces().isEmpty())
                    .map(Serving::tag)
                    .sorted()
                    .limit(tagsMax)
                    .collect(Collectors.toSet());
            asked.addAll(paused);
            List<Record> rows = List.copyOf(
                    dsl.fetch(WAITING, LOOKED_UP_MAX, asked.toArray(String[]::new), COUNTED_MAX + 1, OWNERS_LOOKED_AT));
            boolean isComplete = rows.isEmpty() || rows.getFirst().get("looked_up", Integer.class) < LOOKED_UP_MAX;
            return new Read(rows.stream().map(QueueStore::waiting).toList(), running(dsl), serving, isComplete);
        });
    }

    private static Map<String, Running> running(DSLContext dsl) {
        return dsl.fetch(RUNNING)
                .intoMap(
                        row -> row.get("tag", String.class),
                        row -> new Running(row.get("running", Integer.class), workspaces(row)));
    }

    private static Waiting waiting(Record row) {
        return new Waiting(
                row.get("tag", String.class),
                row.get("waiting", Integer.class),
                Optional.ofNullable(row.get("oldest", String.class)).map(QueueStore::createdAt),
                workspaces(row));
    }

    /** When the job with this id was created. */
    static Instant createdAt(String id) {
        return Instant.ofEpochMilli(UUID.fromString(id).getMostSignificantBits() >>> MILLIS_SHIFT);
    }

    private static Set<Workspace> workspaces(Record row) {
        return Arrays.stream(row.get("workspaces", String[].class))
                .map(Workspace::of)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Set<Workspace> union(Set<Workspace> some, Set<Workspace> others) {
        return Stream.concat(some.stream(), others.stream()).collect(Collectors.toUnmodifiableSet());
    }

    private static Serving serving(Record row) {
        return new Serving(
                row.get("tag", String.class),
                workspaces(row),
                new TagWorkers(
                        row.get("workers", Integer.class),
                        row.get("slots", Integer.class),
                        new AbsentWorkers(
                                Optional.ofNullable(row.get("faults", String.class))
                                        .orElse(""),
                                Optional.ofNullable(row.get("drained", String.class))
                                        .orElse(""))));
    }
}
