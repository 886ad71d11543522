package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;

/** Which scripts leased jobs run, in Postgres. */
final class JobScriptStore {
    private static final String FIND = LeaseCredential.LEASE + NamedCodes.expand("""
            select lease.workspace, case when q.kind = {JobKind.SCRIPT} then q.target end as script
            from lease join job_queue q on q.bucket = lease.bucket and q.id = lease.id
            """);

    private final Database database;

    JobScriptStore(Database database) {
        this.database = database;
    }

    /**
     * The script of a job.
     *
     * @param hash of its version; absent if the job runs no script
     */
    record JobScript(Workspace workspace, Optional<String> hash) {}

    /** Empty if the lease is no longer held. */
    Optional<JobScript> find(LeaseCredential lease) {
        return database.run(dsl -> dsl.fetchOptional(
                        FIND,
                        lease.job().bucket().value(),
                        lease.job().value(),
                        lease.token().value()))
                .map(row -> new JobScript(
                        Workspace.of(row.get("workspace", String.class)),
                        Optional.ofNullable(row.get("script", String.class))));
    }
}
