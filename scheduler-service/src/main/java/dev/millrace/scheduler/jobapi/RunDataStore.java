package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Json;
import java.util.Optional;
import org.jooq.Record;

/**
 * Data that the steps of a run share, in Postgres. Each call is one statement, fenced by the lease of the calling job.
 * The lease also determines the run.
 */
final class RunDataStore {
    /** Maximum number of keys of one run. Jobs that write new keys at the same moment may each exceed it by one. */
    static final int KEYS_MAX = 1_000;

    private static final String SET = LeaseCredential.LEASE + """
            , written as (
                insert into run_data (bucket, run_id, key, value, job_id, updated_at)
                select bucket, run_id, ?::text, ?::json, id, now() from lease
                where exists (select 1 from run_data d where d.bucket = lease.bucket and d.run_id = lease.run_id and d.key = ?::text)
                    or (select count(*) from run_data d where d.bucket = lease.bucket and d.run_id = lease.run_id) < ?::bigint
                on conflict (bucket, run_id, key) do update
                set value = excluded.value, job_id = excluded.job_id, updated_at = excluded.updated_at
                returning 1
            )
            select (select count(*) from lease) as leases, (select count(*) from written) as written
            """;

    private static final String GET = LeaseCredential.LEASE + """
            select d.value::text as value from lease left join run_data d on d.bucket = lease.bucket and d.run_id = lease.run_id
                and d.key = ?::text
            """;

    private final Database database;

    RunDataStore(Database database) {
        this.database = database;
    }

    /** Result of an attempt to write a value. */
    enum SetAnswer {
        WRITTEN,
        /** The run already has the maximum number of keys. */
        FULL,
        /** The job has lost its lease. */
        LEASE_LOST
    }

    /** Result of an attempt to read a value. */
    sealed interface GetAnswer {
        /** The value; empty if the key was never written. */
        record Found(Optional<Json> value) implements GetAnswer {}

        /** The job has lost its lease. */
        record LeaseLost() implements GetAnswer {}
    }

    /** Writes a value. The last write wins. */
    SetAnswer set(LeaseCredential lease, String key, Json value) {
        Record row = database.run(dsl -> dsl.fetchSingle(
                SET,
                lease.job().bucket().value(),
                lease.job().value(),
                lease.token().value(),
                key,
                value.text(),
                key,
                KEYS_MAX));
        if (row.get("leases", Long.class) == 0) {
            return SetAnswer.LEASE_LOST;
        }
        return row.get("written", Long.class) == 0 ? SetAnswer.FULL : SetAnswer.WRITTEN;
    }

    GetAnswer get(LeaseCredential lease, String key) {
        return database.run(dsl -> dsl.fetchOptional(
                        GET,
                        lease.job().bucket().value(),
                        lease.job().value(),
                        lease.token().value(),
                        key))
                .<GetAnswer>map(row -> new GetAnswer.Found(
                        Optional.ofNullable(row.get("value", String.class)).map(Json::new)))
                .orElseGet(GetAnswer.LeaseLost::new);
    }
}
