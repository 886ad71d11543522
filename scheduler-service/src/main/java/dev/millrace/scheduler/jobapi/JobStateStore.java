package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;

/** What scripts remember from one run to the next, in Postgres. Writes are fenced by the lease of the calling job. */
final class JobStateStore {
    /** Maximum number of states of a workspace. Jobs that write new ones at the same moment may each exceed it by one. */
    static final int STATES_MAX = 10_000;

    private static final String READ = "select value::text as value from script_state where workspace = ? and path = ?";

    private static final String WRITE = LeaseCredential.LEASE + """
            , written as (
                insert into script_state (workspace, path, value, run_id, updated_at)
                select workspace, ?::text, ?::json, run_id, now() from lease
                where not ?::boolean and (exists (select 1 from script_state s where s.workspace = lease.workspace and s.path = ?::text)
                    or (select count(*) from script_state s where s.workspace = lease.workspace) < ?::bigint)
                on conflict (workspace, path) do update
                set value = excluded.value, run_id = excluded.run_id, updated_at = excluded.updated_at
                returning 1
            ), forgotten as (
                delete from script_state s using lease where ?::boolean and s.workspace = lease.workspace and s.path = ?::text
            )
            select (select count(*) from lease) as leases, (select count(*) from written) as written
            """;

    private final Database database;

    JobStateStore(Database database) {
        this.database = database;
    }

    Optional<Json> read(Workspace workspace, String path) {
        return database.run(dsl -> dsl.fetchOptional(READ, workspace.name(), path))
                .map(row -> new Json(row.get("value", String.class)));
    }

    /** Writes a state, or deletes it if the value is null. The last write wins. */
    RunDataStore.SetAnswer write(LeaseCredential lease, String path, Json value) {
        boolean isNull = value.text().strip().equals("null");
        var row = database.run(dsl -> dsl.fetchSingle(
                WRITE,
                lease.job().bucket().value(),
                lease.job().value(),
                lease.token().value(),
                path,
                value.text(),
                isNull,
                path,
                STATES_MAX,
                isNull,
                path));
        if (row.get("leases", Long.class) == 0) {
            return RunDataStore.SetAnswer.LEASE_LOST;
        }
        return row.get("written", Long.class) == 0 && !isNull
                ? RunDataStore.SetAnswer.FULL
                : RunDataStore.SetAnswer.WRITTEN;
    }
}
