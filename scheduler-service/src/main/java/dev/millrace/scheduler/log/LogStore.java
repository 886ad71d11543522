package dev.millrace.scheduler.log;

import static dev.millrace.scheduler.database.tables.Tables.JOB_LOG;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.min;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.FixedQuery;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.Field;
import org.jooq.Record;

/**
 * Logs in Postgres.
 *
 * <p>Positions become visible in ascending order: each insert takes them under one advisory lock, which it holds until
 * its commit. A reader that continues after the last position it has seen therefore misses nothing.
 */
public final class LogStore {
    /** Advisory lock of log inserts: an arbitrary number that nothing else in the database uses. */
    private static final long INSERT_LOCK = 0x6d696c6c6c6f6773L;

    private static final String INSERT = """
        with turn as materialized (select pg_advisory_xact_lock(?)),
        entry as (
            select * from unnest(?::uuid[], ?::uuid[], ?::text[], ?::integer[], ?::smallint[], ?::bigint[], ?::text[])
                with ordinality as e (run_id, job_id, step_key, attempt, stream, sequence, text, ordinal)
        )
        insert into job_log (run_id, job_id, step_key, attempt, stream, sequence, text)
        select run_id, job_id, step_key, attempt, stream, sequence, text from turn, entry order by ordinal
        on conflict do nothing
        """;

    private static final Field<Long> FIRST = min(JOB_LOG.POSITION).as("first_position");
    private static final Field<Long> LAST = max(JOB_LOG.POSITION).as("last_position");
    /** Sequences inside the text keep the database from finding it. */
    private static final String MAY_HAVE_COLORS = "strpos(text, chr(27)) > 0";

    private static final Field<Long> LAST_LOOKED_AT = field("last", Long.class);
    private static final Field<Integer> LOOKED = field("looked", Integer.class);

    private static final FixedQuery READ_RUN = new FixedQuery(select(JOB_LOG.fields())
            .from(JOB_LOG)
            .where(JOB_LOG.RUN_ID.eq(param("run", UUID.class)))
            .and(JOB_LOG.POSITION.gt(param("after", Long.class)))
            .orderBy(JOB_LOG.POSITION)
            .limit(param("rows", Integer.class)));

    private static final FixedQuery BOUNDS =
            new FixedQuery(select(FIRST, LAST).from(JOB_LOG).where(JOB_LOG.RUN_ID.eq(param("run", UUID.class))));

    private static final FixedQuery LOOK = looking("", "max");
    private static final FixedQuery LOOK_BACK = looking("desc", "min");

    private final Database database;

    public LogStore(Database database) {
        this.database = database;
    }

    /** Stores the entries in their order. Entries that are already stored stay unchanged. */
    void insert(List<LogEntry> entries) {
        database.run(dsl -> dsl.execute(
                INSERT,
                INSERT_LOCK,
                column(entries, entry -> entry.run().value(), UUID[]::new),
                column(entries, entry -> entry.job().value(), UUID[]::new),
                column(entries, LogEntry::stepKey, String[]::new),
                column(entries, LogEntry::attempt, Integer[]::new),
                column(entries, entry -> entry.stream().number(), Short[]::new),
                column(entries, LogEntry::sequence, Long[]::new),
                column(entries, LogEntry::text, String[]::new)));
    }

    /** Positions of the first and the last chunk of a run. */
    LogBounds bounds(RunId run) {
        Record row = database.fetch(BOUNDS, run.value()).getFirst();
        return row.get(FIRST) == null ? new LogBounds(0, 0) : new LogBounds(row.get(FIRST), row.get(LAST));
    }

    /**
     * Looks at the next chunks of a range.
     *
     * @param search leaves out chunks that cannot contain the text; chunks with escape sequences may remain
     */
    LogPart look(RunId run, LogFilter filter, LogRange range, Optional<LineSearch> search, LogLook limits) {
        String job = filter.job().map(id -> id.value().toString()).orElse("");
        String step = filter.step();
        String exact =
                search.filter(LineSearch::matchesCase).map(LineSearch::text).orElse("");
        String lower = search.filter(wanted -> !wanted.matchesCase())
                .map(LineSearch::text)
                .orElse("");
        Short[] streams = filter.streams().stream().map(LogStream::number).toArray(Short[]::new);
        var rows = database.fetch(
                range.isNewestFirst() ? LOOK_BACK : LOOK,
                run.value(),
                range.after(),
                range.before(),
                limits.chunksMax(),
                (long) limits.bytesMax(),
                job,
                job,
                step,
                step,
                step,
                step,
                streams,
                exact,
                exact,
                lower,
                lower);
        return new LogPart(
                rows.stream()
                        .filter(row -> row.get(JOB_LOG.POSITION) != null)
                        .map(LogStore::chunk)
                        .toList(),
                rows.getFirst().get(LOOKED),
                rows.getFirst().get(LAST_LOOKED_AT));
    }

    /**
     * The text of chunks is compared only up to the limit of bytes; its length is known without reading it. In lower case,
     * the text is read and converted once for both comparisons. The order of the result is that of the look.
     */
    private static FixedQuery looking(String order, String furthest) {
        String columns = Stream.of(JOB_LOG.fields()).map(Field::getName).collect(Collectors.joining(", "));
        String sql = """
            with candidate as (
                select %1$s, sum(octet_length(text)) over (order by position %2$s rows unbounded preceding)
                    - octet_length(text) as bytes_before
                from (
                    select %1$s from job_log where run_id = ? and position > ? and position < ?
                    order by position %2$s limit ?
                ) next
            ), part as materialized (select %1$s from candidate where bytes_before < ?),
            seen as (select coalesce(%3$s(position), 0) as last, count(*)::int as looked from part)
            select seen.last, seen.looked, %1$s from seen left join part on
                (? = '' or job_id::text = ?)
                and (? = '' or step_key = ? or starts_with(step_key, ? || '.') or starts_with(step_key, ? || '['))
                and stream = any(?)
                and (? = '' or strpos(text, ?) > 0 or %4$s)
                and (? = '' or exists (
                    select from (select lower(text collate "C") as text offset 0) lowered where strpos(text, ?) > 0 or %4$s))
            order by position %2$s
            """.formatted(columns, order, furthest, MAY_HAVE_COLORS);
        return new FixedQuery(
                sql,
                Stream.concat(Stream.of(LAST_LOOKED_AT, LOOKED), Stream.of(JOB_LOG.fields()))
                        .toArray(Field<?>[]::new));
    }

    /** Chunks after a position, in order, of a run or of one of its jobs. */
    List<LogChunk> read(RunId run, Optional<JobId> job, long afterPosition, int limit) {
        return job.map(id -> read(run, id, afterPosition, limit))
                .orElseGet(() -> database.fetch(READ_RUN, run.value(), afterPosition, limit)
                        .map(LogStore::chunk));
    }

    private List<LogChunk> read(RunId run, JobId job, long afterPosition, int limit) {
        return database.run(dsl -> dsl.selectFrom(JOB_LOG)
                .where(JOB_LOG.RUN_ID.eq(run.value()))
                .and(JOB_LOG.POSITION.gt(afterPosition))
                .and(JOB_LOG.JOB_ID.eq(job.value()))
                .orderBy(JOB_LOG.POSITION)
                .limit(limit)
                .fetch(LogStore::chunk));
    }

    private static LogChunk chunk(Record row) {
        LogEntry entry = new LogEntry(
                new RunId(row.get(JOB_LOG.RUN_ID)),
                new JobId(row.get(JOB_LOG.JOB_ID)),
                row.get(JOB_LOG.STEP_KEY),
                row.get(JOB_LOG.ATTEMPT),
                LogStream.of(row.get(JOB_LOG.STREAM)),
                row.get(JOB_LOG.SEQUENCE),
                row.get(JOB_LOG.TEXT));
        return new LogChunk(
                entry, row.get(JOB_LOG.POSITION), row.get(JOB_LOG.TIME).toInstant());
    }

    private static <T> T[] column(
            List<LogEntry> entries, Function<LogEntry, T> value, java.util.function.IntFunction<T[]> array) {
        return entries.stream().map(value).toArray(array);
    }
}
