package dev.millrace.scheduler.quota;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.quota.core.Quotas;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Quotas of workspaces and tokens in Postgres. */
final class QuotaStore {
    private static final String SET = """
            insert into workspace_quota (workspace, submits_per_second_max, queued_jobs_max, open_streams_max,
                log_bytes_per_second_max, payload_bytes_per_second_max, blob_bytes_max, set_by)
            values (?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (workspace) do update set
                submits_per_second_max = excluded.submits_per_second_max, queued_jobs_max = excluded.queued_jobs_max,
                open_streams_max = excluded.open_streams_max, log_bytes_per_second_max = excluded.log_bytes_per_second_max,
                payload_bytes_per_second_max = excluded.payload_bytes_per_second_max, blob_bytes_max = excluded.blob_bytes_max,
                set_by = excluded.set_by, set_at = now()
            """;
    private static final String OF_WORKSPACE = """
            select submits_per_second_max, queued_jobs_max, open_streams_max, log_bytes_per_second_max,
                payload_bytes_per_second_max, blob_bytes_max
            from workspace_quota where workspace = ?
            """;
    /** In one statement, because it is repeated again and again. */
    private static final String ALL = """
            select workspace, null::uuid as token, submits_per_second_max, queued_jobs_max, open_streams_max,
                log_bytes_per_second_max, payload_bytes_per_second_max, blob_bytes_max
            from workspace_quota
            union all
            select null, id, submits_per_second_max, 0, 0, 0, 0, 0 from credential
            where submits_per_second_max > 0 and (ended_at is null or ended_at > now())
            """;

    private static final String JOBS = """
            select workspace, count(*) as jobs from job_queue where workspace = any (?::text[]) group by workspace
            """;

    /** Reads an index alone. Its condition is that of the index. */
    private static final String BLOB_BYTES = """
            select coalesce(sum(bytes), 0)::bigint from blob where workspace = ? and bytes is not null and not is_doomed
            """;

    private final Database database;

    QuotaStore(Database database) {
        this.database = database;
    }

    void set(Workspace workspace, Quotas quotas, String by) {
        database.run(dsl -> dsl.execute(
                SET,
                workspace.name(),
                quotas.submitsPerSecondMax(),
                quotas.queuedJobsMax(),
                quotas.openStreamsMax(),
                quotas.logBytesPerSecondMax(),
                quotas.payloadBytesPerSecondMax(),
                quotas.blobBytesMax(),
                by));
    }

    /** The quotas of one workspace. */
    Quotas of(Workspace workspace) {
        return database.run(dsl -> dsl.fetch(OF_WORKSPACE, workspace.name())).stream()
                .findFirst()
                .map(QuotaStore::quotas)
                .orElse(Quotas.NONE);
    }

    /**
     * All quotas.
     *
     * @param ofTokens submitted runs a second, for each token with such a quota
     */
    record All(Map<Workspace, Quotas> ofWorkspaces, Map<UUID, Long> ofTokens) {
        All {
            ofWorkspaces = Map.copyOf(ofWorkspaces);
            ofTokens = Map.copyOf(ofTokens);
        }
    }

    All all() {
        Map<Workspace, Quotas> workspaces = new HashMap<>();
        Map<UUID, Long> tokens = new HashMap<>();
        for (Record row : database.run(dsl -> dsl.fetch(ALL))) {
            @Nullable UUID token = row.get("token", UUID.class);
            if (token == null) {
                workspaces.put(Workspace.of(row.get("workspace", String.class)), quotas(row));
            } else {
                tokens.put(token, row.get("submits_per_second_max", Long.class));
            }
        }
        return new All(workspaces, tokens);
    }

    /** The number of jobs that the queue holds of each workspace, for those that have some. Reads the whole queue. */
    Map<Workspace, Long> jobs(Collection<Workspace> workspaces) {
        String[] names = workspaces.stream().map(Workspace::name).toArray(String[]::new);
        return database.run(dsl -> dsl.fetch(JOBS, (Object) names))
                .intoMap(row -> Workspace.of(row.get("workspace", String.class)), row -> row.get("jobs", Long.class));
    }

    /** Bytes of all complete blobs of a workspace. */
    long blobBytes(Workspace workspace) {
        return database.run(dsl -> dsl.fetchSingle(BLOB_BYTES, workspace.name()).get(0, Long.class));
    }

    private static Quotas quotas(Record row) {
        return new Quotas(
                row.get("submits_per_second_max", Long.class),
                row.get("queued_jobs_max", Long.class),
                row.get("open_streams_max", Long.class),
                row.get("log_bytes_per_second_max", Long.class),
                row.get("payload_bytes_per_second_max", Long.class),
                row.get("blob_bytes_max", Long.class));
    }
}
