package dev.millrace.scheduler.log;

import static dev.millrace.scheduler.database.tables.Tables.JOB_LOG;
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

    private static final FixedQuery READ_RUN = new FixedQuery(select(JOB_LOG.fields())
            .from(JOB_LOG)
            .where(JOB_LOG.RUN_ID.eq(param("run", UUID.class)))
            .and(JOB_LOG.POSITION.gt(param("after", Long.class)))
            .orderBy(JOB_LOG.POSITION)
            .limit(param("rows", Integer.class)));

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
