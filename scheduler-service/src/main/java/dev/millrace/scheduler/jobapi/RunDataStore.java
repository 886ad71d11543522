package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Json;
import java.util.Optional;
import org.jooq.Record;

/**
 * Data that the steps of a run share, in Postgres. Each call is one statement, fenced by the lease of the job that asks, which also says which
 * run's data these are.
 */
final class RunDataStore {
    /** Most keys of one run; jobs that write new ones at the very same time may each add one more. */
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

    /** What became of a wish to write. */
    enum SetAnswer {
        WRITTEN,
        /** The run has too many keys for another one. */
        FULL,
        /** The lease of the job that asks is no longer held. */
        LEASE_LOST
    }

    /** What is there under a key. */
    sealed interface GetAnswer {
        /** The value; empty where nothing was ever written. */
        record Found(Optional<Json> value) implements GetAnswer {}

        /** The lease of the job that asks is no longer held. */
        record LeaseLost() implements GetAnswer {}
    }

    /** Writes a value; of several, the last one stays. */
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

    /** Reads a value. */
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
