package dev.millrace.scheduler.limit;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.limit.core.Advance;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.NamedCodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * Releases jobs that wait for limits, in one short transaction that holds the locks of their queues.
 *
 * <p>The released jobs of a queue are counted from their rows each time, so no counter can be wrong. Only the holder of
 * a queue's lock releases its jobs, and everybody else only gives capacity back, so no limit is ever exceeded. Rows
 * that others are changing are skipped and looked at again later: the transaction waits for nothing but the locks of
 * queues.
 */
final class LimitStore {
    /** Maximum number of queues that one transaction advances. */
    static final int QUEUES_MAX = 50;
    /** Maximum number of jobs of a queue that one transaction reads and releases. */
    static final int RELEASED_MAX = 50;
    /** When to look again at a queue with a job that someone else was changing. */
    private static final Duration CHANGING = Duration.ofMillis(20);
    /** First key of the advisory locks of queues; nothing else in the database uses it. */
    private static final int LOCKS = 0x6c696e65;

    /**
     * Locks in the order of the hashes, so that no two transactions deadlock. Disables sequential scans, because plans
     * made for small tables must suit large ones.
     */
    private static final String LOCK = """
            select set_config('enable_seqscan', 'off', true), pg_advisory_xact_lock(?::int4, hash)
            from (select distinct hashtext(queue) as hash from unnest(?::text[]) as l(queue) order by 1) as queues
            """;

    private static final String NOTE_BEGINS = NamedCodes.expand("""
            update limited_begin b
            set begun_at = statement_timestamp(), expires_at = statement_timestamp() + b.window_millis * interval '1 millisecond'
            where b.limit_key = any (?::text[]) and b.begun_at = 'infinity'
              and not exists (select from job_queue q
                              where q.bucket = b.bucket and q.id = b.job_id and q.state + 0 = {JobState.QUEUED} and coalesce(q.limit_queue, '') = b.limit_key and q.released_tag is null)
            """);
    /**
     * The first jobs of each queue, and how many jobs of the queue are released, counted up to the largest maximum that
     * a waiting job has.
     *
     * <p>One statement reads both from one snapshot. So if a job gives its capacity back and waits again at the head of
     * its queue, no other job overtakes it.
     */
    static final String WAITING = NamedCodes.expand("""
            with waiting as materialized (
                select l.queue, j.* from unnest(?::text[]) as l(queue)
                cross join lateral (
                    select q.id, q.bucket, q.limit_max, q.limit_count, q.limit_millis, q.priority, q.order_key from job_queue q
                    where q.state = {JobState.QUEUED} and q.tag = l.queue and q.released_tag is not null
                    order by q.priority desc, q.order_key, q.id limit ?
                ) j
            ), wanted as (
                select queue, max(limit_max) as jobs_max from waiting where limit_max is not null group by queue
            ), released as materialized (
                select w.queue, (select count(*) from (
                    select from job_queue q where q.limit_queue = w.queue and q.released_tag is null and q.state in ({JobState.QUEUED}, {JobState.LEASED}) limit w.jobs_max) r)::int4 as released
                from wanted w
            )
            select w.queue, w.id, w.bucket, w.limit_max, w.limit_count, w.limit_millis, coalesce(r.released, 0) as released
            from waiting w left join released r on r.queue = w.queue
            order by w.queue, w.priority desc, w.order_key, w.id
            """);

    private static final String BEGUN = """
            select r.queue, r.millis, (select count(*) from (
                select from limited_begin b
                where b.limit_key = r.queue and b.begun_at > statement_timestamp() - r.millis * interval '1 millisecond'
                limit r.count_max) c)::int4 as begun
            from unnest(?::text[], ?::int8[], ?::int4[]) as r(queue, millis, count_max)
            """;
    private static final String RELEASE = NamedCodes.expand("""
            with chosen as (
                select q.bucket, q.id from unnest(?::int4[], ?::uuid[], ?::text[]) as c(bucket, id, queue)
                join job_queue q on q.bucket = c.bucket and q.id = c.id
                where q.state + 0 = {JobState.QUEUED} and q.tag = c.queue
                for update of q skip locked
            ), released as (
                update job_queue q set tag = q.released_tag, released_tag = null
                from chosen c where q.bucket = c.bucket and q.id = c.id
                returning q.bucket, q.id, q.tag, q.limit_queue as limit_key, q.limit_millis
            ), longest as (
                select r.limit_key, greatest(max(r.limit_millis), (
                    select max(b.window_millis) from limited_begin b where b.limit_key = r.limit_key)) as window_millis
                from released r where r.limit_millis is not null group by r.limit_key
            ), noted as (
                insert into limited_begin (limit_key, bucket, job_id, window_millis)
                select r.limit_key, r.bucket, r.id, l.window_millis from released r join longest l on l.limit_key = r.limit_key
                where r.limit_millis is not null
            )
            select tag, limit_key as queue from released
            """);
    /** A rate has room again once its {@code count}-th latest begin is older than its time. */
    private static final String NEXT_ROOM = """
            select r.queue, greatest(0, ceil(extract(epoch from b.begun_at - statement_timestamp()) * 1000 + r.millis))::int8 as wait_millis
            from unnest(?::text[], ?::int4[], ?::int8[]) as r(queue, count, millis)
            cross join lateral (
                select b.begun_at from limited_begin b where b.limit_key = r.queue order by b.begun_at desc offset r.count - 1 limit 1
            ) b
            where isfinite(b.begun_at)
            """;

    private final Database database;

    LimitStore(Database database) {
        this.database = database;
    }

    /**
     * Result of a transaction.
     *
     * @param tags tags of the released jobs
     * @param again queues to look at again without an announcement, and after what time
     */
    record Moved(Set<String> tags, Map<String, Duration> again) {}

    private record Waiting(UUID id, int bucket, JobLimit limit, int releasedOfQueue) {}

    private record RateOf(String queue, long millis) {}

    /** Releases the jobs that their limits allow, of at most {@link #QUEUES_MAX} queues. */
    Moved move(Collection<String> queues) {
        return database.transaction(sql -> move(sql, queues.toArray(String[]::new)));
    }

    private static Moved move(DSLContext sql, String[] queues) {
        sql.fetch(LOCK, LOCKS, queues);
        sql.execute(NOTE_BEGINS, (Object) queues);
        Map<String, List<Waiting>> waiting = waiting(sql, queues);
        Map<RateOf, Integer> begun = begun(sql, waiting);
        Map<String, List<Waiting>> chosen = new HashMap<>();
        Map<String, JobLimit.Rate> awaited = new LinkedHashMap<>();
        Map<String, Duration> again = new HashMap<>();
        waiting.forEach((queue, jobs) -> {
            Advance advance = Advance.of(
                    jobs.stream().map(Waiting::limit).toList(),
                    jobs.getFirst().releasedOfQueue(),
                    per -> begun.getOrDefault(new RateOf(queue, per.toMillis()), 0));
            if (advance.count() > 0) {
                chosen.put(queue, jobs.subList(0, advance.count()));
            }
            advance.awaited().ifPresent(rate -> awaited.put(queue, rate));
            if (advance.count() == RELEASED_MAX) {
                again.put(queue, Duration.ZERO);
            }
        });
        Set<String> tags = release(sql, chosen, again);
        nextRoom(sql, awaited).forEach((queue, wait) -> again.merge(queue, wait, LimitStore::sooner));
        return new Moved(tags, again);
    }

    private static Map<String, List<Waiting>> waiting(DSLContext sql, String[] queues) {
        Map<String, List<Waiting>> waiting = new LinkedHashMap<>();
        for (Record row : sql.fetch(WAITING, queues, RELEASED_MAX)) {
            String queue = row.get("queue", String.class);
            waiting.computeIfAbsent(queue, _ -> new ArrayList<>())
                    .add(new Waiting(
                            row.get("id", UUID.class),
                            row.get("bucket", Integer.class),
                            limit(queue, row),
                            row.get("released", Integer.class)));
        }
        return waiting;
    }

    private static JobLimit limit(String queue, Record row) {
        Integer max = row.get("limit_max", Integer.class);
        Integer count = row.get("limit_count", Integer.class);
        return new JobLimit(
                JobLimit.keyOf(queue),
                max == null ? OptionalInt.empty() : OptionalInt.of(max),
                count == null
                        ? Optional.empty()
                        : Optional.of(
                                new JobLimit.Rate(count, Duration.ofMillis(row.get("limit_millis", Long.class)))));
    }

    /** Begins of each queue that count against a rate, for the times that the rates of waiting jobs have. */
    private static Map<RateOf, Integer> begun(DSLContext sql, Map<String, List<Waiting>> waiting) {
        Map<RateOf, Integer> wanted = new LinkedHashMap<>();
        waiting.forEach((queue, jobs) -> jobs.forEach(job -> job.limit()
                .rate()
                .ifPresent(rate -> wanted.merge(new RateOf(queue, rate.per().toMillis()), rate.count(), Math::max))));
        if (wanted.isEmpty()) {
            return Map.of();
        }
        return sql.fetch(
                        BEGUN,
                        wanted.keySet().stream().map(RateOf::queue).toArray(String[]::new),
                        wanted.keySet().stream().map(RateOf::millis).toArray(Long[]::new),
                        wanted.values().toArray(Integer[]::new))
                .intoMap(
                        row -> new RateOf(row.get("queue", String.class), row.get("millis", Long.class)),
                        row -> row.get("begun", Integer.class));
    }

    private static Set<String> release(DSLContext sql, Map<String, List<Waiting>> chosen, Map<String, Duration> again) {
        if (chosen.isEmpty()) {
            return Set.of();
        }
        List<Integer> buckets = new ArrayList<>();
        List<UUID> ids = new ArrayList<>();
        List<String> queues = new ArrayList<>();
        chosen.forEach((queue, jobs) -> jobs.forEach(job -> {
            buckets.add(job.bucket());
            ids.add(job.id());
            queues.add(queue);
        }));
        Set<String> tags = new HashSet<>();
        Map<String, Integer> left = new HashMap<>();
        queues.forEach(queue -> left.merge(queue, 1, Integer::sum));
        for (Record row : sql.fetch(
                RELEASE, buckets.toArray(Integer[]::new), ids.toArray(UUID[]::new), queues.toArray(String[]::new))) {
            tags.add(row.get("tag", String.class));
            left.merge(row.get("queue", String.class), -1, Integer::sum);
        }
        left.forEach((queue, count) -> {
            if (count > 0) {
                again.put(queue, CHANGING);
            }
        });
        return tags;
    }

    private static Duration sooner(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Map<String, Duration> nextRoom(DSLContext sql, Map<String, JobLimit.Rate> awaited) {
        if (awaited.isEmpty()) {
            return Map.of();
        }
        return sql.fetch(
                        NEXT_ROOM,
                        awaited.keySet().toArray(String[]::new),
                        awaited.values().stream().map(JobLimit.Rate::count).toArray(Integer[]::new),
                        awaited.values().stream()
                                .map(rate -> rate.per().toMillis())
                                .toArray(Long[]::new))
                .intoMap(
                        row -> row.get("queue", String.class),
                        row -> Duration.ofMillis(row.get("wait_millis", Long.class)));
    }
}
