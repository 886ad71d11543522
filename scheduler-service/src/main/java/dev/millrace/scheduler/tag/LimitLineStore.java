package dev.millrace.scheduler.tag;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.tag.LimitLine.First;
import dev.millrace.scheduler.tag.LimitLine.Kind;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jooq.Record;

/**
 * Reads the lines of limits: a look-up in an index for each line, and at most {@link #COUNTED_MAX} entries of each.
 *
 * <p>The keys of a workspace begin with the same text. A key that begins with a text sorts after that text in every
 * collation, but other keys may stand between, so a walk begins at the text and ignores others.
 */
final class LimitLineStore {
    /** Maximum number of jobs and runs of a line that are counted. */
    static final int COUNTED_MAX = 1_000;
    /** Maximum number of keys that one walk looks up. */
    static final int LOOKED_UP_MAX = 1_000;
    /** Maximum number of debounced runs that are counted. */
    private static final int DEBOUNCED_MAX = 10_000;

    private static final String NO_SCANS = "select set_config('enable_seqscan', 'off', true)";

    static final String JOBS = NamedCodes.expand("""
            with recursive keys(key, place) as (
                select least(
                    (select q.tag from job_queue q where q.state = {JobState.QUEUED} and q.tag > $after order by q.tag limit 1),
                    (select q.limit_queue from job_queue q where q.limit_queue is not null and q.released_tag is null and q.limit_queue > $after
                        order by q.limit_queue limit 1)), 1
                from (select ?::text as start) a
                union all
                select least(
                    (select q.tag from job_queue q where q.state = {JobState.QUEUED} and q.tag > k.key order by q.tag limit 1),
                    (select q.limit_queue from job_queue q where q.limit_queue is not null and q.released_tag is null and q.limit_queue > k.key
                        order by q.limit_queue limit 1)), place + 1
                from keys k where k.key is not null and place < ?
            )
            select k.key, f.*, w.waiting, r.running
            from keys k
            left join lateral (
                select q.run_id, q.created_at, q.limit_max, q.limit_count, q.limit_millis from job_queue q
                where starts_with(k.key, ?) and q.state = {JobState.QUEUED} and q.tag = k.key order by q.priority desc, q.order_key, q.id limit 1
            ) f on true
            cross join lateral (select count(*)::int as waiting from (
                select from job_queue q where starts_with(k.key, ?) and q.state = {JobState.QUEUED} and q.tag = k.key
                order by q.priority desc, q.order_key, q.id limit ?) j
            ) w
            cross join lateral (select count(*)::int as running from (
                select from job_queue q where starts_with(k.key, ?) and q.limit_queue = k.key and q.released_tag is null limit ?) j
            ) r
            where k.key is not null order by k.place
            """.replace("$after", "a.start"));

    static final String RUNS = NamedCodes.expand("""
            with recursive keys(key, place) as (
                (select q.limit_key, 1 from job_queue q where q.limit_key > ? order by q.limit_key limit 1)
                union all
                select (select q.limit_key from job_queue q where q.limit_key > k.key order by q.limit_key limit 1), place + 1
                from keys k where k.key is not null and place < ?
            )
            select k.key, f.*, null::int as limit_max, null::int as limit_count, null::bigint as limit_millis, w.waiting, r.running
            from keys k
            left join lateral (
                select q.run_id, q.created_at from job_queue q
                where starts_with(k.key, ?) and q.limit_key = k.key and q.state + 0 = {JobState.TO_START} order by q.order_key, q.id limit 1
            ) f on true
            cross join lateral (select count(*)::int as waiting from (
                select from job_queue q where starts_with(k.key, ?) and q.limit_key = k.key and q.state + 0 = {JobState.TO_START}
                order by q.order_key, q.id limit ?) j
            ) w
            cross join lateral (select count(*)::int as running from (
                select from job_queue q where starts_with(k.key, ?) and q.limit_key = k.key and q.state = {JobState.FLOW_RUNNING} limit ?) j
            ) r
            where k.key is not null order by k.place
            """);

    private static final String DEBOUNCED = NamedCodes.expand("""
            select name, count(*)::int as waiting, min(created_at) as created_at, min(id::text collate "C") as run_id
            from (
                select q.name, q.created_at, q.id from job_queue q
                where q.state = {JobState.TO_START} and q.debounce_key is not null and q.workspace = ? limit ?
            ) d group by name order by name
            """);

    private final Database database;

    LimitLineStore(Database database) {
        this.database = database;
    }

    /**
     * Lines of one walk.
     *
     * @param last key up to which lines were looked up; absent at the end
     */
    record Walk(List<LimitLine> lines, Optional<String> last) {
        Walk {
            lines = List.copyOf(lines);
        }
    }

    /** Lines of jobs of the workspace after a key, at most so many. */
    Walk jobs(Workspace workspace, String after, int max) {
        return walk(JOBS, Kind.JOBS, JobLimit.prefix(workspace), after, max);
    }

    /** Lines of runs of the workspace after a key, at most so many. */
    Walk runs(Workspace workspace, String after, int max) {
        return walk(RUNS, Kind.RUNS, workspace.name() + "/", after, max);
    }

    private Walk walk(String sql, Kind kind, String prefix, String after, int max) {
        String start = after.isEmpty() ? prefix : after;
        int steps = Math.min(max, LOOKED_UP_MAX);
        List<Record> rows = database.transaction(dsl -> {
            dsl.execute(NO_SCANS);
            return List.copyOf(dsl.fetch(sql, start, steps, prefix, prefix, COUNTED_MAX + 1, prefix, COUNTED_MAX));
        });
        List<LimitLine> lines = new ArrayList<>();
        for (Record row : rows) {
            String key = row.get("key", String.class);
            if (key.startsWith(prefix)) {
                lines.add(line(kind, kind == Kind.JOBS ? JobLimit.keyOf(key) : key.substring(prefix.length()), row));
            }
        }
        boolean mayGoOn = rows.size() == steps && !lines.isEmpty();
        return new Walk(lines, mayGoOn ? Optional.of(rows.getLast().get("key", String.class)) : Optional.empty());
    }

    /** Debounced runs of the workspace, one line for each flow. */
    List<LimitLine> debounced(Workspace workspace) {
        return database.run(dsl -> dsl.fetch(DEBOUNCED, workspace.name(), DEBOUNCED_MAX))
                .map(row -> new LimitLine(
                        Kind.DEBOUNCED,
                        "",
                        row.get("name", String.class),
                        OptionalInt.empty(),
                        Optional.empty(),
                        row.get("waiting", Integer.class),
                        0,
                        first(row)));
    }

    private static LimitLine line(Kind kind, String name, Record row) {
        int flowEnd = kind == Kind.RUNS ? name.indexOf(' ') : -1;
        Integer max = row.get("limit_max", Integer.class);
        return new LimitLine(
                kind,
                name.substring(flowEnd + 1),
                flowEnd < 0 ? "" : name.substring(0, flowEnd),
                max == null ? OptionalInt.empty() : OptionalInt.of(max),
                Optional.ofNullable(row.get("limit_count", Integer.class))
                        .map(count -> new JobLimit.Rate(count, Duration.ofMillis(row.get("limit_millis", Long.class)))),
                row.get("waiting", Integer.class),
                row.get("running", Integer.class),
                first(row));
    }

    private static Optional<First> first(Record row) {
        return Optional.ofNullable(row.get("run_id", UUID.class))
                .map(run -> new First(
                        run.toString(),
                        row.get("created_at", OffsetDateTime.class).toInstant()));
    }
}
