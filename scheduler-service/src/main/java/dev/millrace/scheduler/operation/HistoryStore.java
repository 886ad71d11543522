package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jooq.Record;

/** Reads what happened to runs from the records of operations, signals and attempts. */
final class HistoryStore {
    /** Codes of signals are those of {@code SignalKind}. A signal without a sender comes from a program. */
    private static final String HISTORY = """
            with happened as (
                select 1 as kind, o.created_at as at, o.id, 0 as number, '' as step, o.operation as what, o.actor as who,
                    o.reason as why, o.details::text as details
                from run_operation o where o.run_id = ?
                union all
                select 2, s.created_at, s.id, 0,
                    coalesce(nullif(s.step_key, ''),
                        (select q.step_key from job_queue q where q.bucket = s.bucket and q.id = s.wait_id),
                        (select h.step_key from job_history h where h.bucket = s.bucket and h.id = s.wait_id),
                        ''),
                    case s.kind when 1 then case s.who when '' then 'signal' else 'approve' end
                        when 2 then 'deny' when 3 then 'complete' else 'fail' end,
                    s.who, '', json_build_object('name', s.name, 'payload', s.payload)::text
                from signal s where s.run_id = ?
                union all
                select 3, a.ended_at, a.job_id, a.attempt, a.step_key, a.error_name, a.worker_name, a.error_message,
                    json_build_object('attempt', a.attempt, 'begin_time', a.began_at)::text
                from job_attempt a where a.run_id = ?
            )
            select * from happened where (at, id, number) > (?::timestamptz, ?::uuid, ?::int) order by at, id, number limit ?
            """;

    private final Database database;

    HistoryStore(Database database) {
        this.database = database;
    }

    /** Entries of a run, oldest first, after a place. */
    List<HistoryEntry> list(RunId run, HistoryPlace after, int limit) {
        UUID id = run.value();
        return database.run(dsl -> dsl.fetch(
                        HISTORY, id, id, id, after.time().atOffset(ZoneOffset.UTC), after.id(), after.number(), limit)
                .map(HistoryStore::entry));
    }

    private static HistoryEntry entry(Record row) {
        return new HistoryEntry(
                new HistoryPlace(
                        row.get("at", OffsetDateTime.class).toInstant(),
                        row.get("id", UUID.class),
                        row.get("number", Integer.class)),
                HistoryEntry.Kind.of(row.get("kind", Integer.class)),
                row.get("step", String.class),
                row.get("what", String.class),
                row.get("who", String.class),
                row.get("why", String.class),
                new Json(row.get("details", String.class)));
    }
}
